package dev.slipway.postgres.events;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.CommitTail;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes threads that wait for a commit: those of this replica at once, those of other replicas by
 * NOTIFY. A lost notification costs latency, never work: every waiting thread polls as well.
 */
public final class Notifications implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Notifications.class);
  private static final String CHANNEL = "slipway";
  private static final String NAME = "slipway notifications";

  /** Sent by each replica that begins to listen, so that the rest begin to notify at once. */
  private static final String LISTENING = "listening";

  private static final int UNKNOWN = -1;
  private static final int NONE = 0;

  /** The query that counts listeners also detects a dead connection. */
  private static final Duration BETWEEN_COUNTS = Duration.ofSeconds(5);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Database.Address address;
  private final Map<Topic, List<Consumer<String>>> listeners = new EnumMap<>(Topic.class);
  private volatile boolean closed;
  private volatile @Nullable Connection connection;
  private volatile int others = UNKNOWN;
  private final NotifySender sender;
  private final Runnable unsubscribe;
  private final Thread thread;

  /** Listens on a connection of its own, on a thread of the machine. */
  public Notifications(Database database) {
    this(database, Threads.OF_MACHINE);
  }

  /**
   * Listens on a connection of its own and announces what transactions of the database commit, on
   * two of these threads.
   */
  public Notifications(Database database, Threads threads) {
    this.address = database.address();
    for (Topic topic : Topic.values()) {
      listeners.put(topic, new CopyOnWriteArrayList<>());
    }
    this.sender = new NotifySender(CHANNEL, threads, () -> connect("slipway notify"));
    this.unsubscribe = database.onAnnouncements(messages -> messages.forEach(this::announce));
    this.thread = threads.attend("notifications", this::listen);
  }

  /**
   * Calls back on every notification of the topic, with its payload: empty, or which one. Also
   * called, with an empty one, whenever some may have been missed. Must return at once. The answer
   * ends it.
   */
  public Runnable subscribe(Topic topic, Consumer<String> listener) {
    listeners(topic).add(listener);
    return () -> listeners(topic).remove(listener);
  }

  private List<Consumer<String>> listeners(Topic topic) {
    return Objects.requireNonNull(listeners.get(topic), "the constructor adds a list per topic");
  }

  /** Calls listeners in this replica. */
  public void raise(Topic topic, String payload) {
    for (Consumer<String> listener : listeners(topic)) {
      try {
        listener.accept(payload);
      } catch (RuntimeException e) {
        LOG.error("a listener for {} failed", topic, e);
      }
    }
  }

  /** Calls listeners in every replica; to be called after the commit. */
  public void announce(Topic topic, String payload) {
    raise(topic, payload);
    if (others != NONE) {
      sender.send(topic.message(payload));
    }
  }

  private void announce(String message) {
    Topic.ofMessage(message).ifPresent(topic -> announce(topic, topic.payload(message)));
  }

  /** Calls listeners in every replica once the handle's transaction has been committed. */
  public static void announce(Handle handle, Topic topic, String payload) {
    CommitTail.announce(handle, topic.message(payload));
  }

  /** How many other replicas listen to this database, as of some seconds ago. */
  public int others() {
    return Math.max(NONE, others);
  }

  @Override
  public void close() {
    closed = true;
    unsubscribe.run();
    sender.close();
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
      try (Connection fresh = connect(NAME)) {
        connection = fresh;
        others = UNKNOWN;
        listen(fresh);
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

  private static void listen(Connection fresh) throws SQLException {
    try (Statement statement = fresh.createStatement()) {
      statement.execute("LISTEN " + CHANNEL);
      statement.execute("NOTIFY %s, '%s:'".formatted(CHANNEL, LISTENING));
    }
  }

  private Connection connect(String name) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", address.user());
    properties.setProperty("password", address.password());
    properties.setProperty("ApplicationName", name);
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("socketTimeout", "20");
    properties.setProperty("tcpKeepAlive", "true");
    // A lost notification costs latency only: its commit need not wait for the disk.
    properties.setProperty("options", "-c synchronous_commit=off");
    return DriverManager.getConnection(address.jdbcUrl(), properties);
  }

  private void receive(Connection fresh) throws SQLException {
    PGConnection postgres = fresh.unwrap(PGConnection.class);
    count(fresh);
    long counted = System.nanoTime();
    while (!closed) {
      boolean joined = tell(postgres.getNotifications((int) BETWEEN_COUNTS.toMillis()));
      if (joined || System.nanoTime() - counted >= BETWEEN_COUNTS.toNanos()) {
        do {
          count(fresh);
          counted = System.nanoTime();
        } while (tell(postgres.getNotifications())); // what came with the answer
      }
    }
  }

  /** Whether another replica began to listen. */
  private boolean tell(PGNotification @Nullable [] received) {
    boolean joined = false;
    if (received != null) {
      for (PGNotification notification : received) {
        String message = notification.getParameter();
        Optional<Topic> topic = Topic.ofMessage(message);
        if (notification.getPID() != sender.session()) { // this replica's own were raised already
          topic.ifPresent(known -> raise(known, known.payload(message)));
        }
        joined |= message.startsWith(LISTENING);
        if (topic.isEmpty()) {
          LOG.debug("no topic of this version: {}", message);
        }
      }
    }
    return joined;
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
