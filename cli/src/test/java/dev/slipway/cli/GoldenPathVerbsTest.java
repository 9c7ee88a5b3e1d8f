package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoldenPathVerbsTest {
  @TempDir static Path directory;
  private static LiveServer live;

  @BeforeAll
  static void start() throws IOException {
    Path workflows = Files.createDirectories(directory.resolve("people/workflows"));
    Files.writeString(
        directory.resolve("people/provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: people, version: 1.0.0}
        workflows:
          - {name: new-team, file: ./workflows/team.yaml, category: goldenpath}
        """);
    Files.writeString(
        workflows.resolve("team.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: new-team, description: Sets up a team}
        parameters:
          - {name: team_name, type: string, required: true, pattern: '^[a-z]+$', description: What they are called}
          - {name: size, type: enum, enum: [small, large], default: small}
          - {name: seats, type: integer, min: 1, max: 9, default: 3}
          - {name: pin, type: secret, required: true}
        steps:
          - {name: greet, type: noop, config: {result: {hello: '{{ .parameters.team_name }}/{{ .parameters.size }}/{{ .parameters.seats }}'}}}
        outputs: {hello: '{{ .steps.greet.output.hello }}'}
        """);
    Files.writeString(
        directory.resolve("simple.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: simple}
        parameters: [{name: who}, {name: tone, default: kind}]
        steps:
          - {name: say, type: noop, config: {result: {text: '{{ .parameters.who }} {{ .parameters.tone }} {{ with .context.spec }}{{ .metadata.name }}{{ end }}'}}}
        outputs: {text: '{{ .steps.say.output.text }}'}
        """);
    Files.writeString(
        directory.resolve("goldenpaths.yaml"),
        """
        goldenpaths:
          short: simple.yaml
          full:
            workflow: simple.yaml
            description: Says something
            estimated_duration: 1 minute
            required_params: [who]
            optional_params: {tone: loud}
          closed: {workflow: simple.yaml, allowedTeams: [red]}
        """);
    Path config =
        Files.writeString(
            directory.resolve("admin-config.yaml"),
            "providers: [{source: filesystem, path: ./people}]\ngoldenPaths: ./goldenpaths.yaml\n");
    live = new LiveServer(directory.resolve("data"), config);
  }

  @AfterAll
  static void stop() {
    live.close();
  }

  private static int runs() {
    return ((List<?>) Json.read(live.cli.run("runs", "-o", "json").out())).size();
  }

  private static Pty onTerminal(String... arguments) throws IOException {
    List<String> all = new java.util.ArrayList<>(List.of("golden-path", "run"));
    all.addAll(List.of(arguments));
    all.addAll(live.cli.always());
    return new Pty(all, directory);
  }

  @Test
  void paths_of_providers_and_of_the_file_are_listed_and_shown() {
    assertThat(live.cli.run("golden-path", "list").expect(ExitCode.OK).out())
        .contains("new-team", "people", "Sets up a team", "short", "full", "1 minute", "red");
    Cli.Result shown = live.cli.run("golden-path", "show", "new-team").expect(ExitCode.OK);
    assertThat(shown.out())
        .contains("team_name", "like ^[a-z]+$", "one of small, large", "at least 1; at most 9");
    assertThat(shown.err()).contains("--param team_name=… --param pin=…");
    Map<String, Object> full =
        Json.readMap(live.cli.run("golden-path", "show", "full", "-o", "json").out());
    assertThat(Json.write(full.get("parameters")))
        .contains("\"name\":\"who\",\"type\":\"any\",\"required\":true", "\"default\":\"loud\"");
  }

  @Test
  void without_a_terminal_what_is_missing_is_an_error_that_names_the_flag() {
    int before = runs();
    assertThat(live.cli.run("golden-path", "run", "new-team").expect(ExitCode.USAGE).err())
        .contains("--param team_name=VALUE", "--param pin=VALUE");
    assertThat(live.cli.run("golden-path", "run", "full").expect(ExitCode.USAGE).err())
        .contains("--param who=VALUE");
    assertThat(
            live.cli
                .run("golden-path", "run", "full", "--param", "whoo=x")
                .expect(ExitCode.USAGE)
                .err())
        .contains("Did you mean 'who'?");
    assertThat(
            live.cli
                .run("golden-path", "run", "new-team", "-p", "team_name=A1", "-p", "pin=x")
                .expect(ExitCode.FAILED)
                .err())
        .contains("parameters.team_name", "does not match");
    assertThat(live.cli.run("golden-path", "run", "closed").expect(ExitCode.FAILED).err())
        .contains("is not for team");
    assertThat(runs()).isEqualTo(before);
  }

  @Test
  void parameters_of_the_command_reach_the_run_and_a_score_file_too() throws IOException {
    Path score =
        Files.writeString(
            directory.resolve("score.yaml"),
            """
            apiVersion: score.dev/v1b1
            metadata: {name: shop}
            containers: {main: {image: nginx}}
            """);
    Cli.Result run =
        live.cli
            .run("golden-path", "run", "full", score, "--param", "who=all", "--wait")
            .expect(ExitCode.OK);
    assertThat(run.out()).contains("text: all loud shop");
    assertThat(
            live.cli
                .run("golden-path", "run", "short", "--param", "who=me", "--wait")
                .expect(ExitCode.OK)
                .out())
        .contains("text: 'me kind '");
  }

  @Test
  void on_a_terminal_parameters_are_asked_for_until_they_fit() throws Exception {
    try (Pty pty = onTerminal("new-team")) {
      pty.sees("team_name  What they are called").sees("team_name: ").types("Not OK\n");
      pty.sees("does not match").sees("team_name: ").types("\n");
      pty.sees("A value is needed").sees("team_name: ").types("crew\n");
      pty.sees("1) small").sees("2) large").sees("size [small]: ").types("2\n");
      pty.sees("at least 1; at most 9").sees("seats [3]: ").types("12\n");
      pty.sees("more than the maximum").sees("seats [3]: ").types("\n");
      pty.sees("pin (not shown): ").types("geheim-77\n");
      pty.sees("hello: crew/large/3").sees("new-team succeeded");
      assertThat(pty.exitCode()).isZero();
      assertThat(pty.all()).doesNotContain("geheim-77");
    }
  }

  @Test
  void leaving_in_the_middle_starts_nothing() throws Exception {
    int before = runs();
    try (Pty pty = onTerminal("new-team", "--param", "team_name=crew")) {
      pty.sees("size [small]: ").types("\u0003");
      assertThat(pty.exitCode()).isEqualTo(130);
    }
    try (Pty pty = onTerminal("new-team", "--defaults", "--param", "team_name=crew")) {
      pty.sees("pin (not shown): ").types("\u0004");
      pty.sees("not done");
      assertThat(pty.exitCode()).isEqualTo(130);
    }
    try (Pty pty = onTerminal("closed")) {
      pty.sees("is not for team");
      assertThat(pty.exitCode()).isEqualTo(1);
    }
    assertThat(runs()).isEqualTo(before);
  }
}
