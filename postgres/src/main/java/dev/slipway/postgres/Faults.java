package dev.slipway.postgres;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.SQLTransientException;
import java.util.Set;

/** Classifies database errors: connection lost, disk full, bad content, or transient. */
public final class Faults {
  private static final Set<String> TRY_AGAIN =
      Set.of(
          "40001", // serialization failure
          "40P01", // deadlock
          "55P03", // lock not available
          "57014", // statement timeout
          "53300", // too many connections
          "25P03"); // idle in transaction for too long: rolled back

  private Faults() {}

  /** The connection died or could not be made: the statement may have taken effect or not. */
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

  /** The database's disk is full: an operator has to act before a retry can succeed. */
  public static boolean diskFull(SQLException e) {
    return "53100".equals(e.getSQLState());
  }

  /** The written values are at fault: malformed, out of range, too large, against a constraint. */
  public static boolean content(SQLException e) {
    String state = e.getSQLState();
    return state != null
        && (state.startsWith("22") || state.startsWith("23") || state.startsWith("54"));
  }

  /**
   * Nothing was changed, and a retry may succeed: a full disk, a deadlock, a statement timeout, no
   * free connection. The database itself is reachable.
   */
  public static boolean passing(SQLException e) {
    String state = e.getSQLState();
    return state == null ? poolExhausted(e) : TRY_AGAIN.contains(state) || state.startsWith("53");
  }

  /** All pool connections are in use; a connection that cannot be made has a cause. */
  private static boolean poolExhausted(SQLException e) {
    return e instanceof SQLTransientConnectionException && e.getCause() == null;
  }
}
