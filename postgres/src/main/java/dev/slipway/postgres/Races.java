package dev.slipway.postgres;

import java.sql.SQLException;
import java.util.Set;

/** Retries transactions that lose a race: a deadlock, or a concurrent insert of the same key. */
public final class Races {
  private static final int TRIES = 5;
  private static final Set<String> LOST =
      Set.of(
          "23505", // the same key was inserted
          "40001", // serialization failure
          "40P01"); // deadlock

  private Races() {}

  /** A whole transaction. */
  public interface Attempt<T, X extends Exception> {
    T run() throws X;
  }

  /** Executes a whole transaction, a few times if it loses a race. */
  public static <T, X extends Exception> T again(Attempt<T, X> attempt) throws X {
    for (int left = TRIES - 1; left > 0; left--) {
      try {
        return attempt.run();
      } catch (Exception e) {
        if (!lost(e)) {
          throw e;
        }
      }
    }
    return attempt.run();
  }

  private static boolean lost(Throwable e) {
    for (Throwable t = e; t != null; t = t.getCause()) {
      if (t instanceof SQLException sql && LOST.contains("" + sql.getSQLState())) {
        return true;
      }
    }
    return false;
  }
}
