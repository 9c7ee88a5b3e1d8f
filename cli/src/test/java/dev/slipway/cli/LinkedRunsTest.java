package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinkedRunsTest {
  @TempDir static Path directory;

  @Test
  void runs_that_belong_to_another_are_shown_with_it_and_their_logs_come_along()
      throws IOException {
    Path provider = Files.createDirectories(directory.resolve("tools"));
    Files.writeString(
        provider.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        workflows:
          - {name: trip, file: ./trip.yaml, category: goldenpath}
          - {name: walk, file: ./walk.yaml}
        """);
    Files.writeString(
        provider.resolve("trip.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: trip}
        steps:
          - {name: go, workflow: walk, compensate: [{name: back, type: shell, script: 'echo lost; exit 4'}]}
          - {name: fall, type: shell, script: exit 3, on_error: rollback}
        """);
    Files.writeString(
        provider.resolve("walk.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: walk}
        steps: [{name: step, type: shell, script: echo left right}]
        """);
    Path config =
        Files.writeString(
            directory.resolve("admin-config.yaml"),
            "providers: [{source: filesystem, path: ./tools}]\n");
    try (LiveServer live = new LiveServer(directory.resolve("data"), config)) {
      live.cli.run("golden-path", "run", "trip");
      Awaitility.await().until(() -> run(live, "golden-path").get("completedAt") != null);
      String trip = String.valueOf(run(live, "golden-path").get("id"));
      String walk = String.valueOf(run(live, "child").get("id"));
      String undo = String.valueOf(run(live, "rollback").get("id"));

      assertThat(live.cli.run("run", "show", trip).expect(ExitCode.OK).out())
          .contains("Step go called tools/walk: succeeded. Look at it: slipway run show " + walk)
          .contains("Rollback: incomplete. Look at it: slipway run show " + undo)
          .contains("Not undone: go/back: exit code 4");
      assertThat(live.cli.run("run", "show", walk).expect(ExitCode.OK).out())
          .contains("This is the step go of " + trip);
      assertThat(live.cli.run("runs").expect(ExitCode.OK).out())
          .contains("step go of " + trip, "rollback of " + trip);
      assertThat(live.cli.run("logs", trip).expect(ExitCode.OK).out())
          .contains("go/step | left right", "rollback/go/back | lost");

      live.cli.run("run", "retry", trip, "--rollback").expect(ExitCode.OK);
      Awaitility.await()
          .until(
              () ->
                  !undo.equals(run(live, "rollback").get("id"))
                      && run(live, "rollback").get("completedAt") != null);
      assertThat(live.cli.run("run", "show", trip).expect(ExitCode.OK).out())
          .contains("Rollback: incomplete.", String.valueOf(run(live, "rollback").get("id")));
      holds(live);
    }
  }

  private static void holds(LiveServer live) {
    live.cli.run("audit", "hold", "--reason", "case 7", "--of-team", "red").expect(ExitCode.OK);
    List<?> holds =
        (List<?>) Json.read(live.cli.run("audit", "holds", "-o", "json").expect(ExitCode.OK).out());
    Map<String, Object> hold = Values.map(holds.getFirst());
    assertThat(hold).containsEntry("reason", "case 7").containsEntry("team", "red");
    live.cli.run("audit", "lift", String.valueOf(hold.get("id"))).expect(ExitCode.OK);
    assertThat(live.cli.run("audit").expect(ExitCode.OK).out())
        .contains("setAuditHold", "liftAuditHold");
  }

  private static Map<String, Object> run(LiveServer live, String kind) {
    List<?> runs = (List<?>) Json.read(live.cli.run("runs", "-o", "json").out());
    return runs.stream()
        .map(Values::map)
        .filter(run -> kind.equals(run.get("kind")))
        .findFirst()
        .orElse(Map.of());
  }
}
