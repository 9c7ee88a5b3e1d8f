package dev.slipway.postgres;

import java.sql.SQLException;

/** Explains why a database cannot be used at the start, and what to do. */
final class Unreachable {
  private static final String LOGIN_REFUSED = "28";

  private Unreachable() {}

  static DatabaseException of(Database.Address address, Exception cause) {
    for (Throwable t = cause; t != null; t = t.getCause()) {
      if (t instanceof DatabaseException reported) {
        return reported;
      }
      if (t instanceof SQLException sql
          && sql.getSQLState() != null
          && sql.getSQLState().startsWith(LOGIN_REFUSED)) {
        return new DatabaseException(
            "the database at %s refuses the login: %s. Check user and password."
                .formatted(address, sql.getMessage()),
            cause);
      }
      if (t instanceof SQLException sql && Faults.connectionLost(sql)) {
        return new DatabaseException(
            "cannot reach the database at %s: %s. Check that it runs and that the address is right."
                .formatted(address, deepest(sql)),
            cause);
      }
    }
    return new DatabaseException(
        "cannot bring the schema of %s up to date: %s".formatted(address, cause.getMessage()),
        cause);
  }

  /** The driver's message: the pool only reports that its timeout passed. */
  private static String deepest(SQLException failure) {
    String message = "" + failure.getMessage();
    for (Throwable t = failure.getCause(); t != null; t = t.getCause()) {
      if (t instanceof SQLException && t.getMessage() != null) {
        message = t.getMessage();
      }
    }
    return message.endsWith(".") ? message.substring(0, message.length() - 1) : message;
  }
}
