package dev.slipway.applications.faults;

import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.graph.Event;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Jdbi;

/** Defects of a store, made on purpose: each has to be noticed. */
enum Flaw {
  NONE(""),
  /** A write does not check the owner: the last write wins. */
  NO_FENCING("by a former owner"),
  /** Now and then a write is not made and counts as made. */
  SWALLOWS_WRITES("is not there"),
  /** A write that may have happened is made once more. */
  WRITES_TWICE("is written 2 times"),
  /** A run is claimed while another replica holds its lease. */
  CLAIMS_TWICE("holds it"),
  /** Now and then the event of a write is not appended. */
  DROPS_EVENTS("is written 0 times"),
  /** A request that is repeated under its idempotency key is taken for a new one. */
  KEEPS_NO_REPLIES("was carried out 2 times");

  private static final int SOME = 5;
  private static final int BOUNDED = 5;

  /** What is said about it. */
  final String noticed;

  Flaw(String noticed) {
    this.noticed = noticed;
  }

  RunStore on(RunStore store, Jdbi jdbi) {
    AtomicInteger writes = new AtomicInteger();
    return (RunStore)
        Proxy.newProxyInstance(
            RunStore.class.getClassLoader(),
            new Class<?>[] {RunStore.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "write" -> write(store, jdbi, writes, (RunWrite) arguments[0]);
                  case "claim" -> claim(store, method, arguments);
                  default -> SeededFaults.invoke(store, method, arguments);
                });
  }

  private Object claim(RunStore store, Method method, Object[] arguments) throws Throwable {
    if (this == CLAIMS_TWICE && arguments.length == BOUNDED) {
      Duration lease = (Duration) arguments[3];
      arguments[2] = ((Instant) arguments[2]).plus(lease);
      arguments[3] = Duration.ZERO;
    }
    return SeededFaults.invoke(store, method, arguments);
  }

  private CompletableFuture<RunStore.Outcome> write(
      RunStore store, Jdbi jdbi, AtomicInteger writes, RunWrite write) {
    boolean hit = writes.incrementAndGet() % SOME == 0;
    return switch (this) {
      case NONE, CLAIMS_TWICE, KEEPS_NO_REPLIES -> store.write(write);
      case DROPS_EVENTS ->
          store.write(hit ? with(write, write.fence(), write.version(), List.of()) : write);
      case NO_FENCING -> store.write(now(jdbi, write).orElse(write));
      case SWALLOWS_WRITES ->
          hit ? CompletableFuture.completedFuture(RunStore.Outcome.WRITTEN) : store.write(write);
      case WRITES_TWICE ->
          hit
              ? store.write(write).thenCompose(o -> store.write(now(jdbi, write).orElse(write)))
              : store.write(write);
    };
  }

  /** The same write, as if it came from the replica that owns the run now. */
  private static Optional<RunWrite> now(Jdbi jdbi, RunWrite write) {
    return jdbi.withHandle(
        h ->
            h.createQuery("SELECT coalesce(owner, ?), epoch, version FROM runs WHERE id = ?")
                .bind(0, write.fence().owner())
                .bind(1, write.run())
                .map((rs, _) -> with(write, fence(rs), rs.getLong(3), write.events()))
                .findOne());
  }

  private static RunStore.Fence fence(ResultSet rs) throws SQLException {
    return new RunStore.Fence(rs.getString(1), rs.getLong(2));
  }

  private static RunWrite with(
      RunWrite write, RunStore.Fence fence, long version, List<Event> events) {
    UUID run = write.run();
    return new RunWrite(
        run,
        fence,
        version,
        write.steps(),
        write.attempts(),
        write.change(),
        write.report(),
        write.others(),
        events,
        write.at());
  }
}
