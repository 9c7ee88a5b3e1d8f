package dev.slipway.postgres;

import dev.slipway.engine.threads.Threads;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The name of a replica, held by one process at a time: an advisory lock of a session that executes
 * a heartbeat each second. A process that starts under the name releases the runs of its
 * predecessor, so a copied data directory must not start beside the original. A session without a
 * heartbeat for longer than a lease belongs to a dead machine and is terminated.
 */
public final class ReplicaName implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaName.class);
  private static final Duration BEAT = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofMillis(200);
  private static final Duration SILENT = Duration.ofSeconds(20);

  /**
   * A dying session may still execute buffered statements; three different heartbeats prove a live
   * one.
   */
  private static final int SIGNS_OF_LIFE = 3;

  private static final String HOLDER =
      """
      SELECT a.pid, a.application_name, coalesce(a.client_addr::text, 'a local socket') AS place,
             a.state_change::text AS sign
        FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
       WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
         AND (l.classid::bigint << 32 | l.objid::bigint)
             = hashtextextended('slipway replica ' || ?, 0)
      """;

  private final Database.Address address;
  private final String name;
  private final String session = "slipway name " + UUID.randomUUID();
  private final Thread thread;
  private volatile @Nullable Connection connection;
  private volatile boolean closed;

  private record Holder(int pid, String session, String place, String sign) {}

  /** Takes the name; fails while another live process has it. */
  public ReplicaName(Database.Address address, String name, Threads threads) {
    this.address = address;
    this.name = name;
    try {
      this.connection = taken();
    } catch (SQLException e) {
      throw new DatabaseException("cannot take the replica name: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DatabaseException("it was stopped while it started", e);
    }
    this.thread = threads.attend("replica-name", this::keep);
  }

  private void keep() {
    while (!closed) {
      try {
        Thread.sleep(BEAT);
        beat();
      } catch (InterruptedException e) {
        return;
      } catch (SQLException e) {
        LOG.debug("the session of the replica's name is lost, taking it again", e);
        connection = end(connection);
      }
    }
  }

  /**
   * Fails when another process took the name meanwhile: then this process ends and is restarted.
   */
  private void beat() throws SQLException, InterruptedException {
    Connection open = connection;
    if (open == null) {
      connection = taken();
      return;
    }
    try (Statement statement = open.createStatement()) {
      statement.execute("SELECT 1");
    }
  }

  private Connection taken() throws SQLException, InterruptedException {
    Connection fresh = connect();
    try {
      Set<String> signs = new HashSet<>();
      for (long since = System.nanoTime(); !tryLock(fresh); Thread.sleep(LOOK)) {
        Optional<Holder> holder = holder(fresh);
        holder.ifPresent(h -> signs.add(h.pid() + h.sign()));
        boolean silent = System.nanoTime() - since > SILENT.toNanos();
        if (holder.isPresent() && (silent || holder.get().session().equals(session))) {
          terminate(fresh, holder.get());
        } else if (holder.isPresent() && signs.size() >= SIGNS_OF_LIFE) {
          throw new DatabaseException(
              taken(holder.get()), new IllegalStateException("held by " + holder.get()));
        }
      }
      return fresh;
    } catch (SQLException | InterruptedException | RuntimeException e) {
      end(fresh);
      throw e;
    }
  }

  private String taken(Holder holder) {
    return "the replica name '"
        + name
        + "' is in use by another live process (connected from "
        + holder.place()
        + "). Its data directory was copied: stop one of the two, or delete the file 'replica' in"
        + " the copy, so that it gets a name of its own.";
  }

  private boolean tryLock(Connection fresh) throws SQLException {
    try (PreparedStatement lock =
        fresh.prepareStatement(
            "SELECT pg_try_advisory_lock(hashtextextended('slipway replica ' || ?, 0))")) {
      lock.setString(1, name);
      try (ResultSet row = lock.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  private Optional<Holder> holder(Connection fresh) throws SQLException {
    try (PreparedStatement question = fresh.prepareStatement(HOLDER)) {
      question.setString(1, name);
      try (ResultSet row = question.executeQuery()) {
        return row.next()
            ? Optional.of(
                new Holder(
                    row.getInt("pid"),
                    row.getString("application_name"),
                    row.getString("place"),
                    String.valueOf(row.getString("sign"))))
            : Optional.empty();
      }
    }
  }

  private static void terminate(Connection fresh, Holder holder) throws SQLException {
    try (PreparedStatement end = fresh.prepareStatement("SELECT pg_terminate_backend(?)")) {
      end.setInt(1, holder.pid());
      end.execute();
    }
  }

  private Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", address.user());
    properties.setProperty("password", address.password());
    properties.setProperty("ApplicationName", session);
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("socketTimeout", "10");
    properties.setProperty("tcpKeepAlive", "true");
    return DriverManager.getConnection(address.jdbcUrl(), properties);
  }

  private static @Nullable Connection end(@Nullable Connection open) {
    if (open != null) {
      try {
        open.close();
      } catch (SQLException e) {
        LOG.debug("closing the session of the replica's name", e);
      }
    }
    return null;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(Duration.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connection = end(connection);
  }
}
