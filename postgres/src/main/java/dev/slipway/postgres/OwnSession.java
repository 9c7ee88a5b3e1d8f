package dev.slipway.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.HandleCallback;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.postgres.PostgresPlugin;

/**
 * Autocommit statements on a connection outside the pool. Callers that use up the pool cannot delay
 * the renewal of leases.
 */
public final class OwnSession implements AutoCloseable {
  /**
   * A connection that does not reply for longer counts as dead; the lease leaves time for another
   * one.
   */
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);

  private final String name;
  private final OwnConnection own;
  private final Jdbi jdbi;
  private volatile boolean closed;

  /**
   * Connects with its first statement.
   *
   * @param name as the database shows it
   * @param options of the session, as PostgreSQL takes them
   */
  public OwnSession(Database.Address address, String name, String options) {
    this.name = name;
    this.own =
        new OwnConnection(address, name, options, OwnConnection.Work.ONE_BY_ONE, LONGEST_ANSWER);
    this.jdbi = Jdbi.create(kept(own)).installPlugin(new PostgresPlugin());
  }

  private static ConnectionFactory kept(OwnConnection own) {
    return new ConnectionFactory() {
      @Override
      public Connection openConnection() throws SQLException {
        return own.open();
      }

      @Override
      public void closeConnection(Connection connection) {}
    };
  }

  /** The connection's Jdbi, for configuration. */
  public Jdbi jdbi() {
    return jdbi;
  }

  /**
   * Executes the question, once more on a new connection if an old one fails: it must be
   * repeatable.
   */
  public synchronized <T> T ask(HandleCallback<T, RuntimeException> question) {
    boolean used = own.used();
    try {
      return once(question);
    } catch (RuntimeException e) {
      if (closed || !used) {
        throw e;
      }
      return once(question);
    }
  }

  private <T> T once(HandleCallback<T, RuntimeException> question) {
    if (closed) {
      throw new IllegalStateException("the session '" + name + "' is closed");
    }
    try {
      return jdbi.withHandle(question);
    } catch (RuntimeException e) {
      own.close();
      throw e;
    } finally {
      if (closed) {
        own.close();
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    own.close();
  }
}
