package dev.slipway.steps.sql;

import dev.slipway.engine.execute.StepError;
import java.sql.SQLException;
import java.util.Map;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** A statement failed: which one, why, and which earlier statements stay committed. */
final class SqlFailure extends Exception {
  private static final long serialVersionUID = 1L;

  /** SQLSTATEs that a statement raises itself to report a cause, and their error codes. */
  private static final Map<String, String> SAID =
      Map.of("SW001", StepError.NOT_OURS, "SW002", "not-possible", "SW003", StepError.MISSING);

  /** What is committed after the failure. */
  enum Kept {
    NOTHING,
    /** The statements before it. */
    EARLIER,
    /** Unknown: the connection broke during the commit. */
    UNKNOWN
  }

  private final transient SqlServer server;
  private final SQLException sql;
  private final Kept kept;
  private final int keptUpTo;
  private final String where;

  private SqlFailure(SqlServer server, SQLException sql, Kept kept, int keptUpTo, String where) {
    super(sql);
    this.server = server;
    this.sql = sql;
    this.kept = kept;
    this.keptUpTo = keptUpTo;
    this.where = where;
  }

  /** Statement number {@code failed}, the first being 1; the first {@code kept} stay committed. */
  static SqlFailure at(SqlServer server, SQLException sql, int failed, int of, int kept) {
    return new SqlFailure(
        server,
        sql,
        kept == 0 ? Kept.NOTHING : Kept.EARLIER,
        kept,
        of == 1 ? "" : "statement " + failed + " of " + of + ": ");
  }

  static SqlFailure atCommit(SqlServer server, SQLException sql) {
    Kept kept = SqlServer.brokenConnection(sql) ? Kept.UNKNOWN : Kept.NOTHING;
    return new SqlFailure(server, sql, kept, 0, "at the commit: ");
  }

  String state() {
    return sql.getSQLState() == null ? "" : sql.getSQLState();
  }

  StepError error() {
    String said = SAID.get(state());
    if (said != null) {
      return said(said);
    }
    String message =
        where + sql.getMessage() + (state().isEmpty() ? "" : " (SQLSTATE " + state() + ")");
    return switch (kept) {
      case UNKNOWN ->
          StepError.permanent(
              "outcome-unknown",
              message + "; whether the database kept the statements is not known",
              "Look into the database before you retry the step.");
      case EARLIER ->
          StepError.permanent(
              "sql-error",
              message
                  + "; "
                  + (keptUpTo == 1 ? "statement 1 is" : "statements 1 to " + keptUpTo + " are")
                  + " kept",
              why());
      case NOTHING ->
          server.passing(sql)
              ? StepError.passing(
                  "sql-error", message, "Nothing was kept. The database may be busy or away.")
              : StepError.permanent(
                  "sql-error", message, "Nothing was kept. Try the statement by hand to see more.");
    };
  }

  /** The message of the statement itself, without the driver's additions. */
  private StepError said(String code) {
    ServerErrorMessage said =
        sql instanceof PSQLException postgres ? postgres.getServerErrorMessage() : null;
    return said == null || said.getMessage() == null
        ? StepError.permanent(code, String.valueOf(sql.getMessage()), null)
        : StepError.permanent(code, said.getMessage(), said.getHint());
  }

  private String why() {
    return server == SqlServer.MARIADB
        ? "MariaDB and MySQL commit at every CREATE, ALTER, DROP and the like. Write statements"
            + " that can be repeated, such as CREATE TABLE IF NOT EXISTS, then retry the step."
        : "Without a transaction each statement counts by itself. Write statements that can be"
            + " repeated, then retry the step.";
  }
}
