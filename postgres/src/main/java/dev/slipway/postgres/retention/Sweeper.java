package dev.slipway.postgres.retention;

import dev.slipway.engine.resolve.AdminConfig;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.Update;

/**
 * Sweeps the tables, one batch per transaction. One replica at a time: a transaction that does not
 * get the advisory lock at once does nothing, because another replica is deleting the same rows.
 * Positions are kept in memory; after a restart a sweep starts again, which costs only reads.
 */
public final class Sweeper {
  /** Key of the advisory lock, also taken by transactions that set or lift a hold. */
  static final long LOCK = 0x736c_6970_6b65_6570L;

  private final Jdbi jdbi;
  private final int batch;
  private final Map<Sweep, String> reached = new HashMap<>();

  public Sweeper(Jdbi jdbi, int batch) {
    this.jdbi = jdbi;
    this.batch = batch;
  }

  /** The result of a batch. */
  public sealed interface Step {
    /** There are more keys. */
    record Removed(int rows) implements Step {}

    /** The last batch: the next one starts the sweep again. */
    record Finished(int rows) implements Step {}

    /** Another replica is sweeping. */
    record Busy() implements Step {}
  }

  /** Executes the next batch of a sweep. */
  public Step next(Sweep sweep, AdminConfig.Retention kept, Instant now) {
    Instant before = now.minus(sweep.kept().apply(kept));
    return jdbi.inTransaction(
        handle -> {
          if (!alone(handle)) {
            return new Step.Busy();
          }
          List<String> keys = look(handle, sweep, before);
          int rows = 0;
          if (!keys.isEmpty()) {
            for (String removal : sweep.removals()) {
              String sql = removal.replace(":keys", "CAST(:keys AS " + sweep.type() + "[])");
              Update update = handle.createUpdate(sql);
              sweep.counts().forEach((name, count) -> update.bind(name, count.apply(kept)));
              rows += remove(update, keys, before);
            }
          }
          if (keys.size() < batch) {
            reached.remove(sweep);
            return new Step.Finished(rows);
          }
          reached.put(sweep, keys.getLast());
          return new Step.Removed(rows);
        });
  }

  private static boolean alone(Handle handle) {
    return handle
        .createQuery("SELECT pg_try_advisory_xact_lock(:lock)")
        .bind("lock", LOCK)
        .mapTo(Boolean.class)
        .one();
  }

  private List<String> look(Handle handle, Sweep sweep, Instant before) {
    return handle
        .createQuery(sweep.look())
        .configure(SqlStatements.class, c -> c.setUnusedBindingAllowed(true))
        .bind("after", reached.getOrDefault(sweep, sweep.start()))
        .bind("before", before)
        .bind("count", batch)
        .mapTo(String.class)
        .list();
  }

  private static int remove(Update update, List<String> keys, Instant before) {
    return update
        .configure(SqlStatements.class, c -> c.setUnusedBindingAllowed(true))
        .bindByType("keys", keys.toArray(String[]::new), String[].class)
        .bind("before", before)
        .execute();
  }
}
