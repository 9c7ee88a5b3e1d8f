package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
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
