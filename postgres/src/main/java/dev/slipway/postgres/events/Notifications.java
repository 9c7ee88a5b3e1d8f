package dev.slipway.postgres.events;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Database;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes those who wait: in this process at once, in other replicas by one NOTIFY per transaction. A
 * lost one costs latency, never work: everybody who waits also looks by himself now and then.
 */
public final class Notifications implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);
  private static final String CHANNEL = "slipway";
  private static final String NAME = "slipway notifications";

  /** A count also finds out whether the peer of a silent connection is dead. */
  private static final Duration BETWEEN_COUNTS = Duration.ofSeconds(5);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Database.Address address;
  private final Map<Topic, List<Consumer<String>>> listeners = new EnumMap<>(Topic.class);
  private volatile boolean closed;
  private volatile Connection connection;
  private volatile int others;
  private final Thread thread;

  /** Listens on a connection of its own, on a thread of the machine. */
  public Notifications(Database database) {
    this(database, Threads.OF_MACHINE);
  }

  /** Listens on a connection of its own, on one of these threads. */
  public Notifications(Database database, Threads threads) {
    this.address = database.address();
    for (Topic topic : Topic.values()) {
      listeners.put(topic, new CopyOnWriteArrayList<>());
    }
    this.thread = threads.attend("notifications", this::listen);
  }

  /**
   * Calls back on every notification of the topic, with its payload: empty, or which one. Also
   * called, with an empty one, whenever some may have been missed. Must return at once. The answer
   * ends it.
   */
  public Runnable subscribe(Topic topic, Consumer<String> listener) {
    listeners.get(topic).add(listener);
    return () -> listeners.get(topic).remove(listener);
  }

  /** Tells this process; after the commit of what there is to tell. */
  public void raise(Topic topic, String payload) {
    for (Consumer<String> listener : listeners.get(topic)) {
      try {
        listener.accept(payload);
      } catch (RuntimeException e) {
        LOG.error("a listener for {} failed", topic, e);
      }
    }
  }

  /** Tells every replica when the transaction commits; equal ones are sent once. */
  public static void send(Connection connection, Topic topic, String payload) throws SQLException {
    try (PreparedStatement notify = connection.prepareStatement("SELECT pg_notify(?, ?)")) {
      notify.setString(1, CHANNEL);
      notify.setString(2, topic.text() + ":" + payload);
      notify.execute();
    }
  }

  /** The statement that tells every replica of that topic, without a payload. */
  static String sending(Topic topic) {
    return "SELECT pg_notify('%s', '%s:')".formatted(CHANNEL, topic.text());
  }

  /** How many others listen, as of some seconds ago: the other replicas of this database. */
  public int others() {
    return others;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    Connection open = connection;
    if (open != null) {
      try {
        open.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.debug("closing the listening connection", e);
      }
    }
  }

  private void listen() {
    while (!closed) {
      try (Connection fresh = connect()) {
        connection = fresh;
        for (Topic topic : Topic.values()) {
          raise(topic, "");
        }
        receive(fresh);
      } catch (SQLException e) {
        if (closed) {
          return;
        }
        LOG.warn("not listening for notifications, polling goes on: {}", e.getMessage());
        pause();
      }
    }
  }

  private Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", address.user());
    properties.setProperty("password", address.password());
    properties.setProperty("ApplicationName", NAME);
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("socketTimeout", "20");
    properties.setProperty("tcpKeepAlive", "true");
    Connection fresh = DriverManager.getConnection(address.jdbcUrl(), properties);
    try (Statement statement = fresh.createStatement()) {
      statement.execute("LISTEN " + CHANNEL);
    }
    return fresh;
  }

  private void receive(Connection fresh) throws SQLException {
    PGConnection postgres = fresh.unwrap(PGConnection.class);
    count(fresh);
    long counted = System.nanoTime();
    while (!closed) {
      tell(postgres.getNotifications((int) BETWEEN_COUNTS.toMillis()));
      if (System.nanoTime() - counted >= BETWEEN_COUNTS.toNanos()) {
        count(fresh);
        counted = System.nanoTime();
        tell(postgres.getNotifications()); // what came with the answer is not waited for again
      }
    }
  }

  private void tell(PGNotification @Nullable [] received) {
    if (received != null) {
      for (PGNotification notification : received) {
        String[] parts = notification.getParameter().split(":", 2);
        Topic.of(parts[0])
            .filter(topic -> parts.length == 2)
            .ifPresentOrElse(
                topic -> raise(topic, parts[1]),
                () -> LOG.debug("notification of another version: {}", parts[0]));
      }
    }
  }

  private void count(Connection fresh) throws SQLException {
    try (PreparedStatement statement =
        fresh.prepareStatement(
            "SELECT count(*) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND application_name = ?")) {
      statement.setString(1, NAME);
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        others = Math.max(0, rows.getInt(1) - 1);
      }
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
