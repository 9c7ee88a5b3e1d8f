package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.graph.Event;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.RootColumn;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import dev.slipway.testbed.TestPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EventStreamTest {
  private Running running;
  private Database database;
  private Notifications notifications;
  private EventLog log;

  @BeforeAll
  void start() {
    running = new Running();
    database = Database.open(Running.url(running.database).address(), 4);
    notifications = new Notifications(database);
    log = new EventLog(database.jdbi());
  }

  @AfterAll
  void stop() {
    notifications.close();
    database.close();
    running.close();
  }

  /** One reader of events. */
  private static final class Reader implements AutoCloseable {
    private final BufferedReader lines;
    private final InputStream in;

    Reader(Running running, String token, String query, String... headers) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(running.server.url() + "/api/events" + query))
              .header("Authorization", "Bearer " + token);
      for (int i = 0; i < headers.length; i += 2) {
        request.header(headers[i], headers[i + 1]);
      }
      try {
        HttpResponse<InputStream> response =
            running.http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Content-Type").orElse(""))
            .startsWith("text/event-stream");
        in = response.body();
        lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        assertThat(lines.readLine()).startsWith("retry:");
        lines.readLine();
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    /** The next frame: its lines by field. Comments are skipped. */
    Map<String, String> next() {
      Map<String, String> frame = new java.util.LinkedHashMap<>();
      try {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.isEmpty() && !frame.isEmpty()) {
            return frame;
          }
          if (!line.isEmpty() && !line.startsWith(":")) {
            String[] parts = line.split(": ", 2);
            frame.put(parts[0], parts[1]);
          }
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      return Map.of("end", "of stream");
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }

  private void tell(String type, String app, String team) {
    log.append(
        List.of(
            new Event(
                type,
                RootColumn.ref(app, "default"),
                "default",
                team,
                "test",
                Instant.now(),
                Map.of("n", 1L))));
  }

  @Test
  void an_event_arrives_with_its_id_type_and_data() throws IOException {
    try (Reader reader = new Reader(running, running.adminToken, "?app=arrives")) {
      tell("spec.created", "arrives", "red");
      Map<String, String> frame = reader.next();
      assertThat(frame).containsEntry("event", "spec.created");
      Map<String, Object> data = Json.readMap(frame.get("data"));
      assertThat(data)
          .containsEntry("type", "spec.created")
          .containsEntry("application", "arrives")
          .containsEntry("app_name", "arrives")
          .containsEntry("environment", "default")
          .containsEntry("source", "test")
          .containsKeys("id", "timestamp", "data");
      assertThat(frame.get("id")).isEqualTo(data.get("id").toString());
    }
  }

  @Test
  void a_reader_that_comes_back_misses_nothing_and_sees_nothing_twice() throws IOException {
    String last;
    try (Reader reader = new Reader(running, running.adminToken, "?app=back&after=0")) {
      tell("spec.created", "back", "red");
      last = reader.next().get("id");
    }
    for (int i = 0; i < 500; i++) {
      tell("spec.updated", "back", "red");
    }
    try (Reader reader =
        new Reader(running, running.adminToken, "?app=back", "Last-Event-ID", last)) {
      List<Long> ids = new ArrayList<>();
      ids.add(Long.valueOf(last));
      for (int i = 0; i < 500; i++) {
        ids.add(Long.valueOf(reader.next().get("id")));
      }
      assertThat(ids).isSorted().doesNotHaveDuplicates();
    }
  }

  @Test
  void a_team_sees_its_own_events_and_those_without_a_team() throws IOException {
    String red = running.member("rosa", "red", "viewer");
    try (Reader reader = new Reader(running, red, "?types=step.completed,step.failed")) {
      tell("step.completed", "shop", "blue");
      tell("step.started", "shop", "red");
      tell("step.failed", "shop", "red");
      assertThat(reader.next()).containsEntry("event", "step.failed");
      tell("step.completed", null, null);
      assertThat(reader.next()).containsEntry("event", "step.completed");
    }
  }

  @Test
  void a_reader_older_than_what_is_kept_is_sent_a_reset() throws IOException {
    tell("spec.created", "older", "red");
    tell("spec.created", "old", "red");
    long first = log.newest();
    tell("spec.updated", "old", "red");
    tell("spec.deleted", "old", "red");
    database.jdbi().useHandle(h -> h.execute("DELETE FROM events WHERE id <= ?", first + 1));
    try (Reader reader = new Reader(running, running.adminToken, "?app=old&after=" + (first - 1))) {
      assertThat(reader.next()).containsEntry("event", "stream.reset");
      assertThat(reader.next()).containsEntry("event", "spec.deleted");
    }
  }

  @Test
  void many_waiting_readers_hold_no_connection_to_the_database() throws IOException {
    List<Reader> readers = new ArrayList<>();
    try {
      for (int i = 0; i < 60; i++) {
        readers.add(new Reader(running, running.adminToken, "?app=crowd"));
      }
      // Sixty readers on a pool of sixteen: calls still get through, and every reader is woken.
      running.asAdmin().get("/api/teams").expect(200);
      tell("spec.created", "crowd", "red");
      for (Reader reader : readers) {
        assertThat(reader.next()).containsEntry("event", "spec.created");
      }
    } finally {
      for (Reader reader : readers) {
        reader.close();
      }
    }
  }

  @Test
  void a_stream_goes_on_after_the_database_was_away() throws IOException {
    try (Running own = new Running();
        Database near = Database.open(Running.url(own.database).address(), 4);
        Reader reader = new Reader(own, own.adminToken, "?app=cut")) {
      TestPostgres.cutConnections(own.database);
      EventLog nearLog = new EventLog(near.jdbi());
      Event event =
          new Event(
              "spec.created",
              RootColumn.ref("cut", "default"),
              "default",
              "red",
              "test",
              Instant.now(),
              Map.of());
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .ignoreExceptions()
          .until(
              () -> {
                nearLog.append(List.of(event));
                return true;
              });
      assertThat(reader.next()).containsEntry("event", "spec.created");
    }
  }

  @Test
  void a_reader_is_sent_a_reset_when_the_log_went_back() throws IOException {
    try (Running own = new Running();
        Database near = Database.open(Running.url(own.database).address(), 4);
        Notifications notifications = new Notifications(near);
        Reader reader = new Reader(own, own.adminToken, "?app=back")) {
      EventLog nearLog = new EventLog(near.jdbi());
      Event event =
          new Event(
              "spec.created",
              RootColumn.ref("back", "default"),
              "default",
              "red",
              "test",
              Instant.now(),
              Map.of());
      nearLog.append(List.of(event, event));
      assertThat(reader.next()).containsEntry("event", "spec.created");
      long last = Long.parseLong(reader.next().get("id"));

      // As after a failover to a standby that lacked the last events.
      near.jdbi().useHandle(h -> h.execute("DELETE FROM events WHERE id >= ?", last - 1));
      near.jdbi().useHandle(h -> h.execute("SELECT setval('events_id_seq', ?)", last - 2));
      notifications.announce(Topic.EVENTS, "");
      assertThat(reader.next()).containsEntry("event", "stream.reset");

      nearLog.append(List.of(event));
      assertThat(reader.next()).containsEntry("id", String.valueOf(last - 1));
    }
  }

  @Test
  void a_reader_that_comes_back_from_beyond_the_log_is_sent_a_reset() throws IOException {
    String beyond = String.valueOf(lastDrawn() + 1_000_000);
    try (Reader reader =
        new Reader(running, running.adminToken, "?app=beyond", "Last-Event-ID", beyond)) {
      assertThat(reader.next()).containsEntry("event", "stream.reset");
      tell("spec.created", "beyond", "red");
      assertThat(reader.next()).containsEntry("event", "spec.created");
    }
  }

  /** The replica that it read from before knew sooner that a gap stays empty. */
  @Test
  void a_reader_that_is_ahead_of_this_replica_is_not_sent_a_reset() throws Exception {
    String draw =
        "INSERT INTO events (type, application, source, at, data)"
            + " VALUES ('t', 'ahead', 's', now(), '{}')";
    try (Connection gap = database.dataSource().getConnection();
        Connection open = database.dataSource().getConnection()) {
      gap.setAutoCommit(false);
      open.setAutoCommit(false);
      gap.createStatement().execute(draw);
      log.append(
          List.of(
              new Event(
                  "spec.created",
                  RootColumn.ref("ahead", null),
                  null,
                  "red",
                  "test",
                  Instant.now(),
                  Map.of())));
      gap.rollback();
      open.createStatement().execute(draw);
      long seen = lastDrawn() - 1;
      try (Reader reader =
          new Reader(running, running.adminToken, "?app=ahead", "Last-Event-ID", "" + seen)) {
        open.commit();
        notifications.announce(Topic.EVENTS, "");
        assertThat(reader.next()).containsEntry("id", String.valueOf(seen + 1));
      }
    }
  }

  private long lastDrawn() {
    return database
        .jdbi()
        .withHandle(
            h -> h.createQuery("SELECT last_value FROM events_id_seq").mapTo(Long.class).one());
  }

  @Test
  void the_alias_is_the_same_stream() {
    assertThat(running.asNobody().get("/api/events/stream").status()).isEqualTo(401);
    assertThat(running.asNobody().get("/api/events").status()).isEqualTo(401);
  }
}
