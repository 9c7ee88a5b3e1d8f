package dev.slipway.postgres;

import java.sql.SQLException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * Transactions of requests.
 *
 * @param committed called after each commit: wakes the threads that may wait for its effects
 */
public record Transactions(Jdbi jdbi, Runnable committed) {

  /** Work inside one transaction. */
  public interface Work<T> {
    T in(Handle handle) throws SQLException;
  }

  /**
   * One transaction; tried again when it lost a race (a deadlock, or another transaction inserted
   * the same name first). Inside a larger transaction it is a part of that one, and the larger one
   * is tried again as a whole.
   */
  public <T> T run(Work<T> work) {
    try {
      return jdbi.withHandle(h -> h.isInTransaction() ? part(h, work) : whole(h, work));
    } catch (SQLException e) {
      throw refused(e);
    }
  }

  private <T> T whole(Handle handle, Work<T> work) throws SQLException {
    return Races.again(() -> handle.inTransaction(h -> part(h, work)));
  }

  private <T> T part(Handle handle, Work<T> work) throws SQLException {
    T result = work.in(handle);
    handle.afterCommit(committed);
    return result;
  }

  /** Outside of a transaction, unless there is one around it. */
  public <T> T read(Work<T> work) {
    try {
      return jdbi.withHandle(work::in);
    } catch (SQLException e) {
      throw refused(e);
    }
  }

  private static IllegalStateException refused(SQLException e) {
    return new IllegalStateException("the database refuses: " + e.getMessage(), e);
  }
}
