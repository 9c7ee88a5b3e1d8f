package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.value.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people type after a deployment: wait, logs, cancel, refresh. */
class FollowUpTest {
  @TempDir static Path directory;
  private static LiveServer live;
  private static Cli cli;

  @BeforeAll
  static void start() throws IOException {
    Path provider = directory.resolve("notes");
    new Cli()
        .run("provider", "init", "notes", "--type", "note", "--dir", provider)
        .expect(ExitCode.OK);
    Path manifest = provider.resolve("provider.yaml");
    Files.writeString(
        manifest,
        Files.readString(manifest)
            .replace(
                "workflows:\n  - {name: create",
                """
                    - {type: gated, operations: {create: {workflow: gate}}}
                    - {type: slow, operations: {create: {workflow: dawdle}}}
                workflows:
                  - {name: gate, file: ./workflows/gate.yaml, operation: create}
                  - {name: dawdle, file: ./workflows/dawdle.yaml, operation: create}
                  - {name: create\
                """));
    Files.writeString(
        provider.resolve("workflows/gate.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: gate}
        steps:
          - {name: agree, type: approval, config: {message: really?, allowSelf: true}}
        """);
    Files.writeString(
        provider.resolve("workflows/dawdle.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: dawdle}
        steps:
          - {name: sleep, type: wait, config: {duration: 1h}}
        """);
    Path config =
        Files.writeString(
            directory.resolve("admin-config.yaml"),
            "providers:\n  - {source: filesystem, path: ./notes}\n");
    live = new LiveServer(directory.resolve("data"), config);
    cli = live.cli;
  }

  @AfterAll
  static void stop() {
    live.close();
  }

  private static Path score(String name, String type) throws IOException {
    return Files.writeString(
        directory.resolve(name + ".yaml"),
        """
        apiVersion: score.dev/v1b1
        metadata: {name: %s}
        resources: {thing: {type: %s}}
        """
            .formatted(name, type));
  }

  @Test
  void waiting_for_what_is_destroyed_says_so_and_for_what_never_was_not_found() throws IOException {
    cli.run("deploy", score("gone", "note"), "--wait").expect(ExitCode.OK);
    assertThat(cli.run("wait", "gone").expect(ExitCode.OK).err()).contains("gone is active");
    cli.run("destroy", "gone", "--yes", "--wait").expect(ExitCode.OK);
    assertThat(cli.run("wait", "gone").expect(ExitCode.OK).err()).contains("gone is destroyed");
    assertThat(cli.run("wait", "never").expect(ExitCode.FAILED).err()).contains("never");
  }

  @Test
  void waiting_for_a_person_ends_with_code_3_and_names_the_approval() throws IOException {
    cli.run("deploy", score("asked", "gated"), "--no-wait").expect(ExitCode.OK);
    Cli.Result waits = cli.run("wait", "asked").expect(ExitCode.WAITING_FOR_APPROVAL);
    assertThat(waits.err()).contains("slipway approve ");
    String id = waits.err().replaceAll("(?s).*slipway approve (\\S+).*", "$1");
    cli.run("approve", id).expect(ExitCode.OK);
    cli.run("wait", "asked").expect(ExitCode.OK);
  }

  @Test
  void logs_are_json_lines_for_programs() throws IOException {
    cli.run("deploy", score("spoken", "note"), "--wait").expect(ExitCode.OK);
    assertThat(cli.run("logs", "spoken").expect(ExitCode.OK).out())
        .contains("thing/make | OUTPUT_path=");
    Cli.Result json = cli.run("logs", "spoken", "-o", "json").expect(ExitCode.OK);
    assertThat(json.out().lines())
        .isNotEmpty()
        .allSatisfy(
            line -> {
              Map<String, Object> one = Json.readMap(line);
              assertThat(one).containsKeys("run", "step", "m");
            });
  }

  @Test
  void cancelling_asks_first() throws IOException {
    cli.run("deploy", score("late", "slow"), "--no-wait").expect(ExitCode.OK);
    String run =
        await()
            .atMost(Duration.ofSeconds(30))
            .until(
                () -> cli.run("runs", "--app", "late", "-o", "name").out().strip(),
                id -> !id.isEmpty());
    Cli.Result refused = cli.run("run", "cancel", run).expect(ExitCode.USAGE);
    assertThat(refused.err()).contains("notes/dawdle of late/thing", "sleep", "--yes");
    assertThat(cli.run("run", "show", run).out()).doesNotContain("cancelled");
    cli.run("run", "cancel", run, "--yes").expect(ExitCode.OK);
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> cli.run("run", "show", run).out().contains("cancelled"));
  }

  @Test
  void refreshing_finds_what_was_changed_by_hand() throws IOException {
    cli.run("deploy", score("touched", "note"), "--wait").expect(ExitCode.OK);
    assertThat(cli.run("resource", "refresh", "touched/thing").expect(ExitCode.OK).err())
        .contains("thing is active, as it was left");
    String outputs =
        cli.run("resource", "outputs", "touched/thing", "-o", "json").expect(ExitCode.OK).out();
    Path settings = Path.of(String.valueOf(Json.readMap(outputs).get("path")), "settings.json");
    Files.writeString(settings, "{\"size\": \"large\", \"owner\": \"mallory\"}\n");
    assertThat(cli.run("resource", "refresh", "touched/thing").expect(ExitCode.FAILED).err())
        .contains("thing is degraded");
    String changes =
        cli.run("resource", "health", "touched/thing", "-o", "json").expect(ExitCode.OK).out();
    assertThat(Api.items(Json.readMap("{\"data\": " + changes + "}").get("data")))
        .extracting(change -> change.get("health"))
        .containsExactly("Degraded", "Healthy");
    assertThat(cli.run("resource", "health", "touched/thing").expect(ExitCode.OK).out())
        .containsSubsequence("AT", "HEALTH", "MESSAGE", "Degraded", "Healthy");
  }
}
