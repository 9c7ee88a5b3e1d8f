package dev.slipway.engine.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.workflow.OutputParser.Material;
import dev.slipway.engine.workflow.Step.Capture;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OutputParserTest {
  private static Step step(List<String> outputs, Map<String, Capture> capture) {
    return new Step(
        "s",
        "shell",
        Map.of(),
        Step.When.ON_SUCCESS,
        List.of(),
        List.of(),
        Duration.ofMinutes(1),
        Retry.ONCE,
        Map.of(),
        outputs,
        null,
        capture,
        Map.of(),
        new Step.OnError(Step.OnError.Action.FAIL, List.of()),
        List.of(),
        Optional.empty());
  }

  private static Map<String, Object> parse(String stdout, String... outputs) {
    return OutputParser.parse(
        step(List.of(outputs), Map.of()), new Material(stdout, null, null, null));
  }

  @Test
  void marked_lines_are_text() {
    assertThat(parse("x\nOUTPUT_a=1=2\n::set-output name=b-c::yes \nOUTPUT_=no\n"))
        .isEqualTo(Map.of("a", "1=2", "b-c", "yes "));
  }

  @Test
  void the_last_json_object_keeps_its_types_and_wins_over_lines() {
    assertThat(
            parse(
                "{\"a\": 0}\n"
                    + "OUTPUT_a=1\n"
                    + "{\n"
                    + "  \"a\": 2,\n"
                    + "  \"b\": {\"c\": [true, 1.5, \"}{\"]}\n"
                    + "}\n"
                    + "done {not json}\n"))
        .isEqualTo(Map.of("a", 2L, "b", Map.of("c", List.of(true, 1.5, "}{"))));
  }

  @Test
  void text_that_only_looks_like_json_is_passed_over() {
    assertThat(parse("{\"a\": 1}\n{\"b\": \n{ nothing }\n{\"c\": 1} trailing\n"))
        .isEqualTo(Map.of("a", 1L));
  }

  @Test
  void the_output_file_wins_over_standard_output_and_captures_over_all() {
    Step step =
        step(
            List.of(),
            Map.of(
                "a", new Capture(Capture.Source.STDOUT, null, "size=(\\d+)"),
                "n", new Capture(Capture.Source.BODY, "$.items[1].id", null),
                "none", new Capture(Capture.Source.OBJECT, "$.x", null)));
    assertThat(
            OutputParser.parse(
                step,
                new Material(
                    "OUTPUT_a=1\nOUTPUT_b=1\nsize=42\n",
                    "a=2\nb=two words\n",
                    "{\"items\": [{}, {\"id\": 9007199254740993}]}",
                    null)))
        .containsEntry("a", "42")
        .containsEntry("b", "two words")
        .containsEntry("n", 9007199254740993L)
        .containsEntry("none", null);
  }

  @Test
  void a_list_filters_and_a_single_name_takes_the_last_line_when_nothing_else_was_found() {
    assertThat(parse("OUTPUT_a=1\nOUTPUT_b=2\n", "b", "c")).isEqualTo(Map.of("b", "2"));
    assertThat(parse("working\n  10.0.0.1 \n\n", "ip")).isEqualTo(Map.of("ip", "10.0.0.1"));
    assertThat(parse("OUTPUT_b=2\nlast\n", "a")).isEmpty();
  }

  @Test
  void a_half_written_output_file_is_an_error() {
    Step step = step(List.of(), Map.of());
    assertThatThrownBy(() -> OutputParser.parse(step, new Material("", "{\"a\": ", null, null)))
        .hasMessageContaining("not a JSON object");
    assertThatThrownBy(() -> OutputParser.parse(step, new Material("", "a=1\nb", null, null)))
        .hasMessageContaining("neither name=value nor JSON: b");
  }

  @Test
  void a_megabyte_of_opening_braces_is_read_quickly() {
    assertThat(parse("{\n".repeat(500_000))).isEmpty();
  }
}
