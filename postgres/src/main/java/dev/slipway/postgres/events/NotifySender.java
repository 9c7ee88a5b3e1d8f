package dev.slipway.postgres.events;

import dev.slipway.engine.threads.Threads;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends NOTIFY for changes that have been committed. One thread per replica does it, on a
 * connection of its own: PostgreSQL serialises the commits of all transactions that notify, so a
 * transaction that changes something must not be one of them. Messages that gather while one
 * statement is under way leave together, each of them once.
 *
 * <p>A message that cannot be sent is dropped: replicas that miss it find the change when they
 * poll.
 */
final class NotifySender implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NotifySender.class);

  /** Bounds memory while the database does not answer; more are dropped. */
  private static final int MOST_WAITING = 10_000;

  private static final String NOTIFY = "SELECT pg_notify('%s', m) FROM unnest(?::text[]) AS t (m)";

  /** How the sender gets a connection. */
  interface Connecting {
    Connection connect() throws SQLException;
  }

  private final String channel;
  private final Connecting connecting;
  private final Set<String> waiting = new LinkedHashSet<>();
  private final Thread thread;
  private volatile @Nullable Connection connection;
  private volatile int session;
  private boolean closed;

  NotifySender(String channel, Threads threads, Connecting connecting) {
    this.channel = channel;
    this.connecting = connecting;
    this.thread = threads.attend("notify", this::run);
  }

  /** The process id of the session that sends, as receivers see it. */
  int session() {
    return session;
  }

  /** Sends the message soon. */
  synchronized void send(String message) {
    if (waiting.size() < MOST_WAITING && waiting.add(message)) {
      notifyAll();
    }
  }

  private void run() {
    try {
      while (true) {
        List<String> messages = next();
        if (messages.isEmpty()) {
          return;
        }
        try {
          send(messages);
        } catch (SQLException e) {
          disconnect();
          LOG.warn(
              "{} notifications could not be sent, other replicas find the changes by polling: {}",
              messages.size(),
              e.getMessage());
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("notifications are no longer sent");
    } finally {
      disconnect();
    }
  }

  /** Waits for messages; empty when there will be no more. */
  private synchronized List<String> next() throws InterruptedException {
    while (waiting.isEmpty() && !closed) {
      wait();
    }
    List<String> messages = new ArrayList<>(waiting);
    waiting.clear();
    return messages;
  }

  private void send(List<String> messages) throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = connecting.connect();
      connection = open;
      session = open.unwrap(PGConnection.class).getBackendPID();
    }
    try (PreparedStatement notify = open.prepareStatement(NOTIFY.formatted(channel))) {
      notify.setArray(1, open.createArrayOf("text", messages.toArray()));
      notify.execute();
    }
  }

  private void disconnect() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        LOG.debug("closing the connection that notifies", e);
      }
    }
  }

  /** Sends what waits, and ends. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      thread.join(1_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
    disconnect();
  }
}
