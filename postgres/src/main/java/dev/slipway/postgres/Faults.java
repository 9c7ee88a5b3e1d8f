package dev.slipway.postgres;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.Set;

/** What an error of the database means for whoever wanted something of it. */
public final class Faults {
  private static final Set<String> TRY_AGAIN =
      Set.of(
          "40001", // serialization failure
          "40P01", // deadlock
          "55P03", // lock not available
          "57014", // statement timeout
          "53300", // too many connections
          "25P03"); // silent for too long in a transaction, which was undone

  private Faults() {}

  /** The connection died or could not be made: what was asked may have happened or not. */
  public static boolean connectionLost(SQLException e) {
    String state = e.getSQLState();
    if (state == null) {
      return e instanceof SQLTransientException || e.getCause() instanceof IOException;
    }
    return e instanceof SQLTransientException
        || state.startsWith("08")
        || state.startsWith("57P")
        || state.equals("25006") // a standby: failing over
        || state.startsWith("58");
  }

  /** The database has no room left: people have to do something before it can succeed. */
  public static boolean diskFull(SQLException e) {
    return "53100".equals(e.getSQLState());
  }

  /** What was written is at fault: malformed, out of range, too large, against a constraint. */
  public static boolean content(SQLException e) {
    String state = e.getSQLState();
    return state != null
        && (state.startsWith("22") || state.startsWith("23") || state.startsWith("54"));
  }

  /**
   * Nothing happened, and the same may succeed later: a full disk, a deadlock, a statement that
   * took too long, no connection left. The database is there all the same.
   */
  public static boolean passing(SQLException e) {
    String state = e.getSQLState();
    return state == null ? poolExhausted(e) : TRY_AGAIN.contains(state) || state.startsWith("53");
  }

  /** All connections are in use; one that cannot be made has a cause. */
  private static boolean poolExhausted(SQLException e) {
    return e instanceof SQLTransientConnectionException && e.getCause() == null;
  }
}
