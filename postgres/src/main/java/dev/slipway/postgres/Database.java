package dev.slipway.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.postgres.PostgresPlugin;

/** The one database: a pool of connections to it, its schema brought up to date. */
public final class Database implements AutoCloseable {
  /**
   * Of every connection. Whoever freezes in the middle of a transaction holds locks that others
   * need: its transaction is ended for it, soon enough for those who wait to keep their leases.
   */
  public static final String OPTIONS =
      "-c timezone=UTC -c statement_timeout=55s -c idle_in_transaction_session_timeout=4s";

  private final HikariDataSource pool;
  private final Address address;
  private final Jdbi jdbi;
  private final List<Consumer<Set<String>>> receivers = new CopyOnWriteArrayList<>();

  private Database(HikariDataSource pool, Address address) {
    this.pool = pool;
    this.address = address;
    this.jdbi = Jdbi.create(pool).installPlugin(new PostgresPlugin());
    jdbi.setTransactionHandler(CommitTail.transactions(this::announce));
  }

  /** Where a database is and who asks. */
  public record Address(String jdbcUrl, String user, String password) {
    @Override
    public String toString() {
      return jdbcUrl.replaceAll("\\?.*$", "") + " as " + user;
    }
  }

  /** Who brings the schema up to date. */
  public enum Migrate {
    /** The server, when it starts. */
    AUTO,
    /** An operator, with {@code slipway migrate}: the server refuses a schema that is behind. */
    NEVER
  }

  /** Connects and migrates; see {@link #open(Address, int, Migrate)}. */
  public static Database open(Address address, int connections) {
    return open(address, connections, Migrate.AUTO);
  }

  /**
   * Connects. A database that is away, too old, refuses the login, was written by a newer Slipway
   * or is not migrated is a {@link DatabaseException} that says so.
   */
  public static Database open(Address address, int connections, Migrate migrate) {
    HikariDataSource pool = pool(address, connections);
    try {
      Migrations migrations = new Migrations(address);
      switch (migrate) {
        case AUTO -> migrations.apply();
        case NEVER -> migrations.requireApplied();
      }
      return new Database(pool, address);
    } catch (RuntimeException e) {
      pool.close();
      throw e;
    }
  }

  /** SQL through Jdbi. */
  public Jdbi jdbi() {
    return jdbi;
  }

  /** Connections for those who speak JDBC. */
  public DataSource dataSource() {
    return pool;
  }

  /** Where it is; for a connection of one's own, as listening needs. */
  public Address address() {
    return address;
  }

  /**
   * Hands the announcements of each committed transaction to the receiver, on the thread that
   * committed. Running the answer ends it.
   */
  public Runnable onAnnouncements(Consumer<Set<String>> receiver) {
    receivers.add(receiver);
    return () -> receivers.remove(receiver);
  }

  private void announce(Set<String> messages) {
    receivers.forEach(receiver -> receiver.accept(messages));
  }

  @Override
  public void close() {
    pool.close();
  }

  private static HikariDataSource pool(Address address, int connections) {
    HikariConfig config = new HikariConfig();
    config.setPoolName("slipway");
    config.setJdbcUrl(address.jdbcUrl());
    config.setUsername(address.user());
    config.setPassword(address.password());
    config.setMaximumPoolSize(connections);
    config.setMinimumIdle(Math.min(2, connections));
    config.setConnectionTimeout(Duration.ofSeconds(5).toMillis());
    config.setInitializationFailTimeout(-1);
    config.setMaxLifetime(Duration.ofMinutes(30).toMillis());
    config.setKeepaliveTime(Duration.ofMinutes(1).toMillis());
    config.addDataSourceProperty("ApplicationName", "slipway");
    config.addDataSourceProperty("connectTimeout", "5");
    config.addDataSourceProperty("socketTimeout", "60");
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("prepareThreshold", "1");
    config.addDataSourceProperty("logServerErrorDetail", "false"); // it quotes rows
    config.addDataSourceProperty("options", OPTIONS);
    return new HikariDataSource(config);
  }
}
