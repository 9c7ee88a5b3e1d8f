package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Followed logs of a step that waits for an approval, and so does not end by itself. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FollowedLogTest {
  private Running running;
  private TeamRed red;
  private String log;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    running = new Running(Optional.of(TeamRed.config(directory)));
    red = new TeamRed(running);
    log = "/api/workflows/" + red.runs.get(3) + "/steps/first/logs?follow=true";
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private HttpResponse<InputStream> open(String token, String path) {
    try {
      return running.http.send(
          HttpRequest.newBuilder(URI.create(running.server.url() + path))
              .header("Authorization", "Bearer " + token)
              .build(),
          HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads to the end of the stream. */
  private static void ends(HttpResponse<InputStream> stream) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              stream.body().readAllBytes();
              return true;
            });
  }

  @Test
  void a_log_and_a_stream_of_events_end_when_their_reader_loses_the_right() {
    List<HttpResponse<InputStream>> open = new ArrayList<>();
    for (String path : List.of(log, "/api/events")) {
      String revoked = running.member("revoked" + open.size(), "red", "viewer");
      String disabled = running.member("disabled" + open.size(), "red", "viewer");
      String leaver = running.member("leaver" + open.size(), "red", "viewer");
      int first = open.size();
      for (String token : List.of(revoked, disabled, leaver)) {
        open.add(open(token, path));
        assertThat(open.getLast().statusCode()).isEqualTo(200);
      }
      Jdbi.create(running.database.jdbcUrl(), running.database.user(), running.database.password())
          .useHandle(
              h ->
                  h.execute(
                      "UPDATE api_keys SET revoked_at = now() WHERE user_name = ?",
                      "revoked" + first));
      running
          .asAdmin()
          .patch("/api/admin/users/disabled" + first, "{\"disabled\":true}")
          .expect(200);
      running.asAdmin().delete("/api/teams/red/members/leaver" + first).expect(204);
    }
    open.forEach(FollowedLogTest::ends);
  }

  @Test
  void one_caller_follows_few_logs_and_the_places_of_ended_ones_are_free_again()
      throws IOException {
    String reader = running.member("reader", "red", "viewer");
    List<HttpResponse<InputStream>> open = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      open.add(open(reader, log));
      assertThat(open.getLast().statusCode()).isEqualTo(200);
    }
    var refused = running.as(reader).get(log).expect(429);
    assertThat(refused.header("Retry-After")).isNotEmpty();
    var other = open(red.developer, log);
    assertThat(other.statusCode()).as("another caller").isEqualTo(200);
    other.body().close();
    for (HttpResponse<InputStream> each : open) {
      each.body().close();
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(90))
        .until(
            () -> {
              HttpResponse<InputStream> again = open(reader, log);
              again.body().close();
              return again.statusCode() == 200;
            });
  }
}
