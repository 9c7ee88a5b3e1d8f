package dev.slipway.server;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseException;
import dev.slipway.postgres.embedded.EmbeddedServer;
import dev.slipway.steps.sql.SqlConnections;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future.State;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The PostgreSQL in {@code DATA/workloads} where the bundled provider creates databases, separate
 * from the state database. The first step that needs it starts it; from then on it starts with
 * every server, because applications use it. A failed start is retried until it succeeds.
 */
final class Workloads implements AutoCloseable, SqlConnections.Lookup {
  private static final Logger LOG = LoggerFactory.getLogger(Workloads.class);
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final Duration LONGEST_START = Duration.ofMinutes(3);

  private final Path data;
  private final Path directory;
  private final Threads threads;
  private @Nullable Thread starter;
  private @Nullable EmbeddedServer server;
  private CompletableFuture<Database.Address> login = new CompletableFuture<>();
  private boolean closed;

  Workloads(Path data, Threads threads) {
    this.data = data;
    this.threads = threads;
    this.directory = data.resolve("workloads");
  }

  /** Starts it in the background when an earlier process has used it. */
  Workloads resume() {
    if (Files.exists(directory.resolve("pg"))) {
      begun();
    }
    return this;
  }

  /** The login of sql steps. */
  @Override
  public SqlConnections.Target target()
      throws SqlConnections.UnavailableException, InterruptedException {
    try {
      Database.Address address = begun().get(LONGEST_START.toMillis(), TimeUnit.MILLISECONDS);
      return new SqlConnections.Target(address.jdbcUrl(), address.user(), address.password());
    } catch (ExecutionException e) {
      Throwable cause = Objects.requireNonNull(e.getCause(), "a future fails with a cause");
      throw new SqlConnections.UnavailableException(String.valueOf(cause.getMessage()));
    } catch (TimeoutException e) {
      throw new SqlConnections.UnavailableException("the PostgreSQL for workloads still starts");
    }
  }

  /** The result of a login; empty while no step has needed it. */
  synchronized Optional<String> health() {
    if (starter == null) {
      return Optional.empty();
    }
    return Optional.of(login.state() != State.SUCCESS ? "starting" : answer(login.resultNow()));
  }

  private static String answer(Database.Address address) {
    Properties properties = new Properties();
    properties.setProperty("user", address.user());
    properties.setProperty("password", address.password());
    properties.setProperty("connectTimeout", "2");
    properties.setProperty("socketTimeout", "5");
    try {
      DriverManager.getConnection(address.jdbcUrl(), properties).close();
      return "ok";
    } catch (SQLException e) {
      return "away";
    }
  }

  private synchronized CompletableFuture<Database.Address> begun() {
    if (starter == null && !closed) {
      starter = threads.start("workloads-start", this::start);
    }
    return closed
        ? CompletableFuture.failedFuture(new DatabaseException("the server stops", null))
        : login;
  }

  /** On its own thread, so that interrupting a step does not interrupt the start. */
  private void start() {
    Duration pause = SHORTEST_PAUSE;
    while (!startedOrClosed()) {
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        return; // close() interrupts
      }
      Duration longer = pause.multipliedBy(2);
      pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }
  }

  private boolean startedOrClosed() {
    try {
      EmbeddedServer begun = EmbeddedServer.beginWorkloads(directory, data, threads);
      if (!kept(begun)) {
        begun.close();
        return true;
      }
      begun.awaitReady();
      Database.Address address = begun.administrator(directory.resolve("admin.password"));
      waiting().complete(address);
      LOG.info("the PostgreSQL for workloads is ready at {}", address.jdbcUrl());
      return true;
    } catch (RuntimeException e) {
      return failed(e);
    }
  }

  private synchronized boolean kept(EmbeddedServer begun) {
    if (!closed) {
      server = begun;
    }
    return !closed;
  }

  private synchronized CompletableFuture<Database.Address> waiting() {
    return login;
  }

  private boolean failed(RuntimeException e) {
    EmbeddedServer begun;
    CompletableFuture<Database.Address> asked;
    synchronized (this) {
      if (closed) {
        login.completeExceptionally(e);
        return true;
      }
      begun = server;
      server = null;
      asked = login;
      login = new CompletableFuture<>();
    }
    LOG.error("the PostgreSQL for workloads cannot be used, trying again: {}", e.getMessage());
    if (begun != null) {
      begun.close();
    }
    asked.completeExceptionally(e);
    return false;
  }

  /** Stops it; applications lose their connections until the next start. */
  @Override
  public void close() {
    EmbeddedServer begun;
    Thread starting;
    synchronized (this) {
      closed = true;
      begun = server;
      starting = starter;
    }
    if (starting != null) {
      starting.interrupt();
    }
    if (begun != null) {
      begun.close();
    }
  }
}
