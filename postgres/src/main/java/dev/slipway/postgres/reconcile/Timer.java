package dev.slipway.postgres.reconcile;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The row of a key in {@code timers}, which only the holder of the key's lock writes. */
record Timer(Instant dueAt, int failures) {

  boolean due(Instant now) {
    return !dueAt.isAfter(now);
  }

  /** Its turns fail, and the next one has to wait. */
  boolean backsOff(Instant now) {
    return failures > 0 && !due(now);
  }

  static Optional<Timer> find(Handle tx, String kind, String key) {
    return tx.createQuery("SELECT due_at, failures FROM timers WHERE kind = :kind AND key = :key")
        .bind("kind", kind)
        .bind("key", key)
        .map((rs, _) -> new Timer(rs.getObject(1, OffsetDateTime.class).toInstant(), rs.getInt(2)))
        .findOne();
  }

  /** What becomes of it after a turn that succeeded. */
  static Optional<Timer> after(Optional<Timer> before, Wake wake, Next next) {
    Optional<Timer> asked =
        switch (next) {
          case Next.Done() -> Optional.empty();
          case Next.At(Instant due) -> Optional.of(new Timer(due, 0));
        };
    return switch (wake) {
      case Wake.Everything everything -> asked;
      case Wake.Items items -> earlier(before, asked);
    };
  }

  private static Optional<Timer> earlier(Optional<Timer> one, Optional<Timer> other) {
    if (one.isEmpty() || other.isEmpty()) {
      return one.or(() -> other);
    }
    return other.get().dueAt().isBefore(one.get().dueAt()) ? other : one;
  }

  static void write(Handle tx, String kind, String key, Optional<Timer> timer) {
    if (timer.isEmpty()) {
      tx.execute("DELETE FROM timers WHERE kind = ? AND key = ?", kind, key);
      return;
    }
    upsert(tx, kind, key, timer.get(), Optional.empty());
  }

  /** The turn has failed once more. */
  static void failed(Handle tx, String kind, String key, Timer timer, String error) {
    upsert(tx, kind, key, timer, Optional.of(error));
  }

  private static void upsert(
      Handle tx, String kind, String key, Timer timer, Optional<String> error) {
    tx.createUpdate(
            """
            INSERT INTO timers (kind, key, due_at, failures, error)
            VALUES (:kind, :key, :due, :failures, :error)
            ON CONFLICT (kind, key) DO UPDATE
               SET due_at = excluded.due_at, failures = excluded.failures, error = excluded.error
            """)
        .bind("kind", kind)
        .bind("key", key)
        .bind("due", timer.dueAt())
        .bind("failures", timer.failures())
        .bind("error", error.orElse(null))
        .execute();
  }
}
