package dev.slipway.engine.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.workflow.OutputParser.Material;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputParserTest {

  private static Step step(String fields) {
    return Workflows.body(
            "steps: [{name: a, type: shell, script: 'true'"
                + (fields.isEmpty() ? "" : ", " + fields)
                + "}]\n")
        .good()
        .steps()
        .getFirst();
  }

  private static Map<String, Object> parse(String fields, String stdout, String file) {
    return OutputParser.parse(step(fields), Material.of(stdout, file));
  }

  @Test
  void lines_of_both_forms_are_outputs_and_the_later_one_wins() {
    String stdout = "hello\nOUTPUT_a=1\n::set-output name=b::x=y\nOUTPUT_a=2\nXOUTPUT_c=3\n";
    assertThat(parse("", stdout, null)).isEqualTo(Map.of("a", "2", "b", "x=y"));
  }

  @Test
  void the_last_top_level_json_object_of_stdout_keeps_its_types_and_wins_over_lines() {
    String stdout =
        """
        OUTPUT_n=text
        {"n": 1}
        noise { not json }
        {
          "n": 12345678901234567890123, "ok": true,
          "list": [
            {"n": 2}
          ], "brace": "}{"
        }
        {broken
        done
        """;
    assertThat(parse("", stdout, null))
        .containsEntry("n", new java.math.BigInteger("12345678901234567890123"))
        .containsEntry("ok", true)
        .containsEntry("list", List.of(Map.of("n", 2L)));
  }

  @Test
  void a_file_is_json_or_assignments_and_wins_over_stdout() {
    assertThat(parse("", "OUTPUT_a=1", "{\"a\": 2}")).isEqualTo(Map.of("a", 2L));
    assertThat(parse("", "", "# made\na=1\n\nexport b=x y\n"))
        .isEqualTo(Map.of("a", "1", "b", "x y"));
    assertThat(parse("", "OUTPUT_a=1", "  \n")).isEqualTo(Map.of("a", "1"));
  }

  @Test
  void half_written_files_are_errors() {
    assertThatThrownBy(() -> parse("", "", "{\"a\": "))
        .isInstanceOf(OutputException.class)
        .hasMessageStartingWith("the output file begins like JSON and is not JSON");
    assertThatThrownBy(() -> parse("", "", "a=1\nsomething else"))
        .hasMessage(
            "the output file has a line that is neither name=value nor JSON: 'something else'");
  }

  @Test
  void captures_cut_out_one_value_by_path_or_pattern() {
    String fields =
        "capture: {id: {regex: 'id=(\\d+)'}, name: {jsonPath: '$.items[0].name'}, whole: {regex:"
            + " 'id=\\d'}}";
    assertThat(parse(fields, "id=42\n{\"items\": [{\"name\": \"x\"}]}", null))
        .containsEntry("id", "42")
        .containsEntry("name", "x")
        .containsEntry("whole", "id=4");
    Step body =
        step("capture: {v: {from: body, jsonPath: '.a'}, w: {from: object, jsonPath: '$'}}");
    assertThat(OutputParser.parse(body, new Material("", null, "{\"a\": 1}", Map.of("k", 2L))))
        .isEqualTo(Map.of("v", 1L, "w", Map.of("k", 2L)));
    assertThatThrownBy(() -> parse("capture: {v: {jsonPath: '$.b'}}", "{\"a\": 1}", null))
        .isInstanceOf(OutputException.class)
        .hasMessage("capture of 'v' found nothing at $.b");
    assertThatThrownBy(() -> parse("capture: {v: {regex: zzz}}", "a", null))
        .hasMessage("capture of 'v' found nothing that matches zzz");
  }

  @Test
  void a_list_filters_and_a_single_name_takes_the_last_line_when_nothing_else_is_found() {
    assertThat(parse("outputs: [a]", "OUTPUT_a=1\nOUTPUT_b=2", null)).isEqualTo(Map.of("a", "1"));
    assertThat(parse("outputs: [database]", "noise\nshop\n\n", null))
        .isEqualTo(Map.of("database", "shop"));
    assertThat(parse("outputs: [a]", "OUTPUT_b=2\nlast", null)).isEmpty();
    assertThat(parse("outputs: [a, b]", "last", null)).isEmpty();
    assertThat(parse("", "last", null)).isEmpty();
  }

  @Test
  void floods_are_bounded() {
    assertThat(parse("", "{\n".repeat(200_000), null)).isEmpty();
    assertThat(parse("outputs: [x]", "a".repeat(5_000_000), null)).containsKey("x");
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 1_001; i++) {
      many.append("OUTPUT_k").append(i).append("=1\n");
    }
    assertThatThrownBy(() -> parse("", many.toString(), null))
        .hasMessage("a step may have at most 1000 outputs");
  }

  @ParameterizedTest
  @ValueSource(strings = {"$..a", "$.a[*]", "$.a[?(@.x)]", "a b", "$.a[", "$['a", "$.a."})
  void paths_beyond_one_place_are_refused(String path) {
    assertThatThrownBy(() -> JsonPath.parse(path)).isInstanceOf(IllegalArgumentException.class);
  }
}
