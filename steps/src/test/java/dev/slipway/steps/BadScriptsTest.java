package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.workflow.RenderedScript;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripts that are broken, end badly, or leave broken outputs behind. */
class BadScriptsTest {
  @TempDir Path data;
  private final Lines log = new Lines();

  private Result run(String script, Map<String, Object> more) throws InterruptedException {
    Map<String, Object> config = new HashMap<>(more);
    config.put("script", new RenderedScript(script, Map.of()));
    return new ShellExecutor(
            data, ProgramPath.ofThisProcess(), () -> ProcessLimits.DEFAULT, InstantSource.system())
        .execute(Calls.of(Calls.step("shell", config), config, log, Duration.ofSeconds(20)));
  }

  private StepError error(String script) throws InterruptedException {
    return ((Result.Failed) run(script, Map.of())).error();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      value = {
        "printf '{\"a\": 1' > \"$SLIPWAY_OUTPUT\" @ begins like JSON and is",
        "printf 'what is this' > \"$SLIPWAY_OUTPUT\" @ neither name=value nor JSON: 'what is this'",
        "printf 'a=\\377' > \"$SLIPWAY_OUTPUT\" @ $SLIPWAY_OUTPUT is not text in UTF-8",
        "truncate -s 100M \"$SLIPWAY_OUTPUT\" @ $SLIPWAY_OUTPUT has 100 MiB; outputs have at most 1"
            + " MiB",
        "ln -s /etc/passwd \"$SLIPWAY_OUTPUT\" @ $SLIPWAY_OUTPUT is no plain file but a link",
        "mkdir \"$SLIPWAY_OUTPUT\" @ $SLIPWAY_OUTPUT is no plain file but a directory",
        "mkfifo \"$SLIPWAY_OUTPUT\" @ $SLIPWAY_OUTPUT is no plain file but a pipe or device",
      })
  void outputs_that_cannot_be_read_fail_the_step_and_say_what_is_expected(
      String script, String message) throws InterruptedException {
    StepError error = error(script);

    assertThat(error.code()).isEqualTo("invalid-output");
    assertThat(error.message()).contains(message).contains("$SLIPWAY_OUTPUT");
    assertThat(error.hint()).contains("one JSON object", "name=value");
  }

  @Test
  void an_exit_code_counts_more_than_broken_outputs() throws InterruptedException {
    assertThat(error("printf '{' > \"$SLIPWAY_OUTPUT\"; exit 3").message())
        .isEqualTo("exit code 3");
  }

  @Test
  void lines_that_only_look_like_outputs_are_just_lines() throws InterruptedException {
    Result result =
        run("echo 'OUTPUT_=x'; echo 'OUTPUT_a'; echo ' OUTPUT_b=1'; echo OUTPUT_c=", Map.of());
    assertThat(((Result.Succeeded) result).outputs())
        .containsExactlyInAnyOrderEntriesOf(Map.of("c", "", "exit_code", 0L));
  }

  @Test
  void a_script_with_the_line_ends_of_windows_runs() throws InterruptedException {
    Result result = run("#!/bin/sh\r\nif true; then\r\n  echo OUTPUT_a=1\r\nfi\r\n", Map.of());
    assertThat(((Result.Succeeded) result).outputs()).containsEntry("a", "1");
  }

  @Test
  void a_script_with_a_nul_character_is_refused() throws InterruptedException {
    assertThat(error("echo a\0b").message()).contains("NUL character");
  }

  @Test
  void output_that_is_no_text_is_kept_as_far_as_it_is() throws InterruptedException {
    assertThat(run("printf 'a\\377b\\000c\\n'", Map.of())).isInstanceOf(Result.Succeeded.class);
    assertThat(log.all()).anySatisfy(line -> assertThat(line).startsWith("STDOUT a\uFFFDb"));
  }

  @Test
  void a_program_that_is_not_there_is_said_to_be_missing() throws InterruptedException {
    StepError error = ((Result.Failed) run("true", Map.of("interpreter", "no-such-shell"))).error();
    assertThat(error.message()).contains("exit code 127", "no-such-shell");
    assertThat(error.hint()).contains("not found on the server's PATH");
  }

  @Test
  void an_end_by_signal_is_called_that() throws InterruptedException {
    assertThat(error("kill -SEGV $$").message()).startsWith("exit code 139 (signal SEGV)");
    assertThat(error("kill -KILL $$").hint()).contains("out of memory");
  }

  @Test
  void codes_of_success_must_be_codes_and_are_looked_at_first() throws InterruptedException {
    StepError error =
        ((Result.Failed) run("echo ran", Map.of("successCodes", List.of("zero")))).error();
    assertThat(error.message()).contains("'zero' in successCodes is no exit code");
    assertThat(log.all()).isEmpty();
  }
}
