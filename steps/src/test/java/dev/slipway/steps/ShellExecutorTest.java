package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.workflow.RenderedScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShellExecutorTest {
  @TempDir Path data;
  private final Lines log = new Lines();
  private ProcessLimits limits = ProcessLimits.DEFAULT;

  private Result run(String script, Map<String, Object> more) throws InterruptedException {
    return run(script, Map.of(), more, Duration.ofSeconds(20));
  }

  private Result run(
      String script, Map<String, String> env, Map<String, Object> more, Duration timeout)
      throws InterruptedException {
    Map<String, Object> config = new HashMap<>(more);
    config.put("script", new RenderedScript(script, env));
    return new ShellExecutor(
            data, ProgramPath.ofThisProcess(), () -> limits, InstantSource.system())
        .execute(Calls.of(Calls.step("shell", config), config, log, timeout));
  }

  private static Map<String, Object> outputs(Result result) {
    return ((Result.Succeeded) result).outputs();
  }

  private static StepError error(Result result) {
    return ((Result.Failed) result).error();
  }

  @AfterEach
  void nothing_stays_behind() throws IOException {
    if (Files.exists(data.resolve("work"))) {
      try (Stream<Path> left = Files.list(data.resolve("work"))) {
        assertThat(left).isEmpty();
      }
    }
  }

  @Test
  void outputs_come_from_lines_json_and_the_output_file() throws InterruptedException {
    assertThat(
            outputs(
                run(
                    "echo OUTPUT_a=1; echo '{\"b\": 2}'; echo c=3 > \"$SLIPWAY_OUTPUT\"",
                    Map.of())))
        .containsExactlyInAnyOrderEntriesOf(Map.of("a", "1", "b", 2L, "c", "3", "exit_code", 0L));
  }

  @Test
  void a_script_that_leaves_what_cannot_be_removed_has_succeeded_all_the_same() throws Exception {
    String tooDeep =
        """
        name=$(printf '%0200d' 0); path=$name
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do path=$path/$name; done
        mkdir -p upper/$path lower/$path && mv lower upper/$path/
        echo OUTPUT_a=1
        """;
    assertThat(outputs(run(tooDeep, Map.of()))).containsEntry("a", "1");
    new ProcessBuilder("rm", "-rf", data.resolve("work").toString()).start().waitFor();
  }

  @Test
  void a_script_can_say_that_what_it_looks_for_is_gone_or_not_ours() throws InterruptedException {
    assertThat(error(run("exit 76", Map.of())).code()).isEqualTo("missing");
    assertThat(error(run("exit 77", Map.of())).code()).isEqualTo("not-ours");
  }

  @Test
  void the_exit_code_and_the_last_word_on_stderr_are_the_error() throws InterruptedException {
    StepError error = error(run("echo trying >&2; echo 'no such bucket' >&2; exit 7", Map.of()));
    assertThat(error.code()).isEqualTo("exit-code");
    assertThat(error.message()).isEqualTo("exit code 7: no such bucket");
    assertThat(outputs(run("exit 7", Map.of("successCodes", List.of(0L, 7L)))))
        .containsEntry("exit_code", 7L);
  }

  @Test
  void the_script_sees_its_own_values_and_nothing_of_the_server() throws InterruptedException {
    Result result =
        run(
            "echo OUTPUT_v=$SLIPWAY_V1; echo OUTPUT_app=$APP_NAME; echo OUTPUT_home=$HOME; env |"
                + " grep -c ^JAVA || true; [ -d \"$TMPDIR\" ]",
            Map.of("SLIPWAY_V1", "x y"),
            Map.of(),
            Duration.ofSeconds(20));
    assertThat(outputs(result)).containsEntry("v", "x y").containsEntry("app", "guestbook");
    assertThat(String.valueOf(outputs(result).get("home"))).startsWith(data.toString());
    assertThat(log.all()).contains("STDOUT 0");
  }

  @Test
  void the_shebang_and_the_interpreter_are_respected() throws InterruptedException {
    assertThat(outputs(run("#!/bin/sh\necho OUTPUT_shell=${BASH_VERSION:-none}", Map.of())))
        .containsEntry("shell", "none");
    assertThat(outputs(run("print(1 + 1)", Map.of("interpreter", "python3"))))
        .containsEntry("exit_code", 0L);
    assertThat(log.all()).contains("STDOUT 2");
  }

  @Test
  void standard_input_is_handed_over() throws InterruptedException {
    assertThat(
            outputs(run("read line; echo OUTPUT_line=\"$line\"", Map.of("stdin", "hello there"))))
        .containsEntry("line", "hello there");
  }

  @Test
  void a_step_that_takes_too_long_is_stopped_and_says_so() throws InterruptedException {
    StepError error =
        error(run("echo waiting >&2; sleep 60", Map.of(), Map.of(), Duration.ofMillis(600)));
    assertThat(error.code()).isEqualTo("timeout");
    assertThat(error.message()).contains("waiting");
  }

  @Test
  void a_value_with_a_nul_character_is_refused() throws InterruptedException {
    assertThat(
            error(run("true", Map.of("SLIPWAY_V1", "a\0b"), Map.of(), Duration.ofSeconds(5)))
                .message())
        .contains("NUL");
  }

  @Test
  void a_working_directory_outside_of_the_provider_is_refused() throws InterruptedException {
    assertThat(error(run("true", Map.of("workingDir", "/etc"))).code()).isEqualTo("invalid-config");
  }

  @Test
  void what_a_provider_keeps_lasts_from_step_to_step() throws InterruptedException {
    run("echo kept > \"$SLIPWAY_PROVIDER_DATA/file\"", Map.of());
    assertThat(outputs(run("echo OUTPUT_f=$(cat \"$SLIPWAY_PROVIDER_DATA/file\")", Map.of())))
        .containsEntry("f", "kept");
  }

  @Test
  void a_repeated_attempt_ends_what_the_interrupted_one_left() throws Exception {
    Map<String, Object> config = Map.of("script", new RenderedScript("echo again", Map.of()));
    StepCall call = Calls.of(Calls.step("shell", config), config, log, Duration.ofSeconds(20));
    ProcessBuilder builder = new ProcessBuilder("sleep", "300");
    builder.environment().put("SLIPWAY_IDEMPOTENCY_KEY", call.key());
    Process left = builder.start();
    assertThat(
            new ShellExecutor(
                    data, ProgramPath.ofThisProcess(), () -> limits, InstantSource.system())
                .execute(Calls.recovered(call)))
        .isInstanceOf(Result.Succeeded.class);
    assertThat(left.waitFor()).isEqualTo(137);
  }
}
