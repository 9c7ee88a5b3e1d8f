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
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadTest {
  @TempDir Path directory;

  @Test
  void a_run_finishes_as_it_began_when_its_provider_is_reloaded_or_taken_away() throws IOException {
    Path tools = Files.createDirectories(directory.resolve("tools"));
    Path release = directory.resolve("release");
    Path made = directory.resolve("made");
    write(tools, "1.0.0", "before", release, made);
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(config, "providers: [{source: filesystem, path: %s}]".formatted(tools));
    try (Running running = new Running(Optional.of(config))) {
      String dora = running.member("dora", "red", "developer");
      Object first = started(running, dora);
      Object second = started(running, dora);
      await(running, dora, first, "running");
      await(running, dora, second, "running");

      write(tools, "2.0.0", "after", release, made);
      running.asAdmin().post("/api/admin/reload", "").expect(200);
      assertThat(running.as(dora).get("/api/providers/tools").expect(200).json())
          .containsEntry("version", "2.0.0");
      Object third = started(running, dora);
      Files.delete(tools.resolve("make.yaml"));
      Files.delete(tools.resolve("provider.yaml"));
      running.asAdmin().post("/api/admin/reload", "");
      Files.writeString(release, "go");

      await(running, dora, first, "succeeded");
      await(running, dora, second, "succeeded");
      await(running, dora, third, "succeeded");
      assertThat(Files.readAllLines(made)).containsExactlyInAnyOrder("before", "before", "after");
    }
  }

  @Test
  void of_the_engine_only_what_cannot_change_while_it_runs_waits_for_a_restart()
      throws IOException, SQLException {
    Path config = directory.resolve("admin-config.yaml");
    Files.writeString(config, "engine: {maxWrites: 1, lease: 15s}");
    try (Running running = new Running(Optional.of(config));
        Connection blocker = UpgradeFixture.connect(running.database);
        Statement s = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      s.execute("LOCK TABLE teams IN EXCLUSIVE MODE");
      var first = team(running, "first");
      awaitWaiting(blocker, 1);
      running.asAdmin().post("/api/teams", "{\"name\":\"second\"}").expect(429);
      Files.writeString(config, "engine: {maxWrites: 2, lease: 20s, retention: 30d}");
      assertThat(running.asAdmin().post("/api/admin/reload", "").expect(200).body())
          .contains("'engine.lease' has changed", "started again")
          .doesNotContain("maxWrites", "retention");
      var second = team(running, "second");
      awaitWaiting(blocker, 2);
      blocker.rollback();
      assertThat(List.of(first.join(), second.join())).containsOnly(201);
    }
  }

  private static CompletableFuture<Integer> team(Running running, String name) {
    return CompletableFuture.supplyAsync(
        () -> running.asAdmin().post("/api/teams", "{\"name\":\"%s\"}".formatted(name)).status());
  }

  private static void awaitWaiting(Connection blocker, int changes) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                UpgradeFixture.strings(
                            blocker,
                            "SELECT pid FROM pg_locks WHERE NOT granted AND relation ="
                                + " 'teams'::regclass")
                        .size()
                    == changes);
  }

  private static void write(Path tools, String version, String word, Path release, Path made)
      throws IOException {
    Files.writeString(
        tools.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: %s}
        workflows:
          - {name: make, file: ./make.yaml, category: goldenpath}
        """
            .formatted(version));
    Files.writeString(
        tools.resolve("make.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: make}
        steps:
          - {name: wait, type: shell, script: 'until test -f %s; do sleep 0.05; done'}
          - {name: make, type: shell, script: 'echo %s >> %s'}
        """
            .formatted(release, word, made));
  }

  private static Object started(Running running, String dora) {
    return running
        .as(dora)
        .post("/api/golden-paths/make/execute", "{}")
        .expect(202)
        .json()
        .get("id");
  }

  private static void await(Running running, String dora, Object run, String status) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(running.as(dora).get("/api/workflows/" + run).expect(200).json())
                    .containsEntry("status", status));
  }
}
