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

/** The state database: its connection pool and its migrated schema. */
public final class Database implements AutoCloseable {
  /**
   * Session options of every connection. A replica that freezes inside a transaction holds locks
   * that other replicas need: PostgreSQL ends that transaction early enough for the others to keep
   * their leases.
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

  /** Address and login of a database. */
  public record Address(String jdbcUrl, String user, String password) {
    @Override
    public String toString() {
      return jdbcUrl.replaceAll("\\?.*$", "") + " as " + user;
    }
  }

  /** Who migrates the schema. */
  public enum Migrate {
    /** The server, when it starts. */
    AUTO,
    /** An operator, with {@code slipway migrate}: the server refuses a schema that is behind. */
    NEVER
  }

  /** Who migrates which tables: the trunk's and those of these branches. */
  public record Schema(Migrate migrate, List<Scripts> branches) {}

  /** Connects and migrates the trunk's tables; see {@link #open(Address, int, Schema)}. */
  public static Database open(Address address, int connections) {
    return open(address, connections, new Schema(Migrate.AUTO, List.of()));
  }

  /**
   * Connects. A database that is unreachable, too old, refuses the login, was written by a newer
   * Slipway or is not migrated is a {@link DatabaseException} that says so.
   */
  public static Database open(Address address, int connections, Schema schema) {
    HikariDataSource pool = pool(address, connections);
    try {
      Migrations migrations = new Migrations(address, schema.branches());
      switch (schema.migrate()) {
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

  /** Connections for code that uses JDBC directly. */
  public DataSource dataSource() {
    return pool;
  }

  /** The address, for code that needs a connection outside the pool, such as LISTEN. */
  public Address address() {
    return address;
  }

  /**
   * Passes the announcements of each committed transaction to the receiver, on the thread that
   * committed. Running the returned task unsubscribes.
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
