package dev.slipway.postgres;

import dev.slipway.engine.value.Sealed;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/** Remembers by which key the secrets of this database are sealed: its fingerprint. */
public final class SealingKey {
  /** Recorded by whoever goes on without the old secrets; the next key takes its place. */
  private static final String LOST = "lost";

  /** Some of what is sealed; of runs the newest are enough, there may be millions. */
  private static final String SAMPLES =
      """
      SELECT sealed[1] FROM (
          SELECT concat(params, applied_params, attempted_params, outputs) FROM resources
          UNION ALL SELECT spec::text FROM revisions
          UNION ALL (SELECT inputs::text FROM runs ORDER BY id DESC LIMIT 10000)
          UNION ALL (SELECT outputs::text FROM steps ORDER BY run_id DESC LIMIT 20000)
      ) tree (text), regexp_matches(text, '"\\$sealed": ?"(v1:[^"]+)"', 'g') sealed
      LIMIT 100
      """;

  private final Jdbi jdbi;

  /** What is known of the key. */
  public sealed interface Known {
    /** This one. */
    record Recorded(String fingerprint) implements Known {}

    /** Nothing, as in a new database or one of version 1; it is one that opens some of these. */
    record Unrecorded(List<Sealed> samples) implements Known {}

    /** It is gone, and any other will do. */
    record Lost() implements Known {}
  }

  public SealingKey(Database database) {
    this.jdbi = database.jdbi();
  }

  public Known known() {
    return jdbi.withHandle(
        h -> {
          Optional<String> recorded = fingerprint(h);
          if (recorded.isEmpty()) {
            return new Known.Unrecorded(
                h.createQuery(SAMPLES).mapTo(String.class).map(Sealed::new).list());
          }
          return recorded.get().equals(LOST)
              ? new Known.Lost()
              : new Known.Recorded(recorded.get());
        });
  }

  /** Makes this the key unless there is one; answers the one that counts. */
  public String settle(String fingerprint) {
    return jdbi.withHandle(
        h -> {
          h.execute(
              """
              INSERT INTO sealing_key AS known (fingerprint) VALUES (?)
              ON CONFLICT (one) DO UPDATE SET fingerprint = excluded.fingerprint, since = now()
               WHERE known.fingerprint = ?
              """,
              fingerprint,
              LOST);
          return fingerprint(h).orElseThrow();
        });
  }

  private static Optional<String> fingerprint(Handle handle) {
    return handle.createQuery("SELECT fingerprint FROM sealing_key").mapTo(String.class).findOne();
  }
}
