package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that has enough to do says so at once, and goes on with what it has. */
class BackPressureTest {
  private static Running running;

  @BeforeAll
  static void start(@TempDir Path directory) throws IOException {
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(config, "engine: {maxQueuedRuns: 3, maxWrites: 2}\n");
    running = new Running(Optional.of(config));
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  @Test
  void with_too_many_runs_waiting_new_ones_are_refused_and_all_else_works() throws SQLException {
    sql(
        """
        INSERT INTO runs (id, kind, definition_hash, provider, workflow, environment, team, inputs,
                          state, claimable_at, created_by, created_at)
        SELECT gen_random_uuid(), 'golden-path', 'd', 'tools', 'x', 'default', 'red', '{}',
               'pending', now() + interval '1 hour', 'dora', now()
          FROM generate_series(1, 3)
        """);
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> deploy("full-" + System.nanoTime()).status() == 503);
    var refused = deploy("one-more");
    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.header("Retry-After")).isEqualTo("15");
    assertThat(refused.body()).contains("queue-full").contains("3 runs wait to begin");
    running.asAdmin().get("/api/applications/one-more").expect(404);
    running.asAdmin().get("/api/workflows").expect(200);
    running.asAdmin().post("/api/teams", "{\"name\":\"calm\"}").expect(201);
    sql("DELETE FROM runs WHERE workflow = 'x'");
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> deploy("one-more").status() == 201);
  }

  @Test
  void with_too_many_changes_at_once_the_next_is_told_to_come_back() throws SQLException {
    List<CompletableFuture<Integer>> inside;
    try (Connection blocker = UpgradeFixture.connect(running.database);
        Statement s = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      s.execute("LOCK TABLE teams IN EXCLUSIVE MODE");
      inside = Stream.of("left", "right").map(BackPressureTest::team).toList();
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () ->
                  UpgradeFixture.strings(
                              blocker,
                              "SELECT pid FROM pg_locks WHERE NOT granted AND relation ="
                                  + " 'teams'::regclass")
                          .size()
                      == 2);
      var refused = running.asAdmin().post("/api/teams", "{\"name\":\"third\"}");
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.header("Retry-After")).isEqualTo("1");
      running.asAdmin().get("/api/applications").expect(200);
      blocker.rollback();
    }
    assertThat(inside).allSatisfy(answer -> assertThat(answer.join()).isEqualTo(201));
    running.asAdmin().post("/api/teams", "{\"name\":\"third\"}").expect(201);
  }

  private static CompletableFuture<Integer> team(String name) {
    return CompletableFuture.supplyAsync(
        () -> running.asAdmin().post("/api/teams", "{\"name\":\"%s\"}".formatted(name)).status());
  }

  private static Running.Reply deploy(String name) {
    return running.asAdmin().yaml("/api/specs", ApplicationTest.score(name));
  }

  private static void sql(String sql) throws SQLException {
    try (Connection c = UpgradeFixture.connect(running.database);
        Statement s = c.createStatement()) {
      s.execute(sql);
    }
  }
}
