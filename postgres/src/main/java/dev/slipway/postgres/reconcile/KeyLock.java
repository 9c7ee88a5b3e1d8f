package dev.slipway.postgres.reconcile;

import java.time.Duration;
import org.jdbi.v3.core.Handle;

/**
 * The lock of a key, held until the end of the transaction. A turn tries it and never waits for it;
 * a request that decides in its own transaction waits for it.
 */
public final class KeyLock {
  private static final String HASH = "hashtextextended(:name, 1)";

  private KeyLock() {}

  /** Waits for the lock. */
  public static void take(Handle tx, String kind, String key) {
    tx.createQuery("SELECT pg_advisory_xact_lock(" + HASH + ")")
        .bind("name", name(kind, key))
        .mapTo(String.class)
        .one();
  }

  /**
   * Whether the lock was free; it is held from now on. Statements of the transaction then wait for
   * row locks for so long at most.
   */
  static boolean tryTake(Handle tx, String kind, String key, Duration longestWait) {
    return tx.createQuery(
            "SELECT pg_try_advisory_xact_lock("
                + HASH
                + ") AND"
                + " set_config('lock_timeout', :wait, true) IS NOT NULL")
        .bind("name", name(kind, key))
        .bind("wait", longestWait.toMillis() + "ms")
        .mapTo(Boolean.class)
        .one();
  }

  private static String name(String kind, String key) {
    return kind + " " + key;
  }
}
