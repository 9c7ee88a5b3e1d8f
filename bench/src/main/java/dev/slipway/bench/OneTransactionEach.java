package dev.slipway.bench;

import dev.slipway.postgres.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The baseline: each transition in a transaction of its own, as plainly as it can be written
 * (update the run, write the step, insert the event), on several connections at once.
 */
final class OneTransactionEach {
  private static final int CONNECTIONS = 8;

  private OneTransactionEach() {}

  static double perSecond(Database database, Duration time) throws Exception {
    AtomicLong done = new AtomicLong();
    long end = System.nanoTime() + time.toNanos();
    try (ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS)) {
      List<Callable<Void>> writers = new ArrayList<>();
      for (int i = 0; i < CONNECTIONS; i++) {
        writers.add(
            () -> {
              write(database, end, done);
              return null;
            });
      }
      for (Future<Void> writer : threads.invokeAll(writers)) {
        writer.get();
      }
    }
    return done.get() / (time.toNanos() / 1e9);
  }

  private static void write(Database database, long end, AtomicLong done) throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      UUID run = TimeOrdered.id(Instant.now(), 1);
      insert(connection, run);
      connection.commit();
      try (PreparedStatement move =
              connection.prepareStatement(
                  "UPDATE runs SET version = version + 1 WHERE id = ? AND epoch = 0");
          PreparedStatement step =
              connection.prepareStatement(
                  "INSERT INTO steps (run_id, name, state, started_at) VALUES (?, ?, 'running', ?)"
                      + " ON CONFLICT (run_id, name) DO UPDATE SET state = 'succeeded'");
          PreparedStatement event =
              connection.prepareStatement(
                  "INSERT INTO events (type, environment, team, source, at, data)"
                      + " VALUES ('step.started', 'default', 'team', 'engine', ?, '{}')")) {
        for (int n = 0; System.nanoTime() < end; n++) {
          move.setObject(1, run);
          move.executeUpdate();
          step.setObject(1, run);
          step.setString(2, "step" + n / 2);
          step.setObject(3, Instant.now().atOffset(ZoneOffset.UTC));
          step.executeUpdate();
          event.setObject(1, Instant.now().atOffset(ZoneOffset.UTC));
          event.executeUpdate();
          connection.commit();
          done.incrementAndGet();
        }
      }
    }
  }

  private static void insert(Connection connection, UUID run) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO runs (id, kind, definition_hash, provider, workflow, environment, team,"
                + " inputs, state, created_by, created_at)"
                + " VALUES (?, 'platform', 'none', 'bench', 'raw', 'default', 'team', '{}',"
                + " 'running', 'bench', now())")) {
      insert.setObject(1, run);
      insert.executeUpdate();
    }
  }
}
