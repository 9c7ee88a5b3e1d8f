package dev.slipway.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstalledLayoutTest {
  @TempDir Path directory;

  @Test
  void the_command_line_starts_from_its_cache() throws Exception {
    Path log = directory.resolve("classes.log");
    Layout.Result result =
        new Layout(directory)
            .with("SLIPWAY_CLI_JAVA_OPTS", "-Xlog:class+load:file=" + log)
            .slipway("version");
    assertThat(result.exitCode()).isZero();
    assertThat(result.out()).startsWith("slipway ");
    List<String> ours =
        Files.readAllLines(log).stream().filter(l -> l.contains(" dev.slipway.cli.")).toList();
    long cached = ours.stream().filter(l -> l.contains("shared objects file")).count();
    assertThat(cached).as("%s", ours).isGreaterThan(ours.size() * 9L / 10);
  }

  @Test
  void help_lists_the_verbs_and_an_unknown_one_is_a_usage_error() throws Exception {
    Layout layout = new Layout(directory);
    assertThat(layout.slipway("--help").out()).contains("deploy", "explain", "demo", "Start here");
    Layout.Result wrong = layout.slipway("deplyo");
    assertThat(wrong.exitCode()).isEqualTo(64);
    assertThat(wrong.err()).contains("Did you mean");
  }

  @Test
  void without_a_server_the_next_step_is_said() throws Exception {
    Layout.Result result = new Layout(directory).slipway("status");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.err()).contains("nothing answers there", "slipway up");
  }

  @Test
  void completion_is_printed_for_three_shells() throws Exception {
    Layout layout = new Layout(directory);
    assertThat(layout.slipway("completion", "bash").out())
        .contains("complete -F _complete_slipway");
    assertThat(layout.slipway("completion", "zsh").out()).contains("bashcompinit");
    assertThat(layout.slipway("completion", "fish").out()).contains("complete -c slipway");
  }

  @Test
  void validate_prints_every_problem_with_its_place() throws Exception {
    Path score =
        Files.writeString(
            directory.resolve("bad.yaml"), "apiVersion: score.dev/v1b1\nmetadata: {nme: x}\n");
    Layout layout = new Layout(directory);
    Layout.Result text = layout.slipway("validate", score.toString());
    assertThat(text.exitCode()).isEqualTo(1);
    assertThat(text.out()).contains("bad.yaml:2:");
    Layout.Result json =
        layout.slipway(
            "validate",
            "-o",
            "json",
            score.toString(),
            Layout.HOME.resolve("examples/guestbook/score.yaml").toString());
    assertThat(json.out())
        .contains("\"valid\" : false", "\"valid\" : true", "\"severity\"", "\"column\"");
  }
}
