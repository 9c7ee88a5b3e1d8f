package dev.slipway.gotemplate.sprig;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.gotemplate.Settings;
import dev.slipway.gotemplate.Template;
import dev.slipway.gotemplate.TemplateException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Go's decoder does with JSON and Jackson by itself would not. */
class JsonReadingTest {
  private static final Template AGAIN =
      Template.parse(
          "t",
          "{{ mustFromJson .json | toJson }}",
          Settings.DEFAULT.withFunctions(WorkflowFunctions.all()));

  private static String again(String json) {
    return AGAIN.execute(Map.of("json", json));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          -0                     | -0
          1E+2                   | 100
          0.1e-7                 | 1e-8
          {"a": 1, "b": 2, "a":3}| {"a":3,"b":2}
          "\\ud83d\\ude00"       | "😀"
          "\\ud800."             | "�."
          [1, [], {}, null]      | [1,[],{},null]
          """)
  void is_written_as_go_would_write_what_it_has_read(String json, String written) {
    assertThat(again(json)).isEqualTo(written);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"password": hunter2}  | line 1, column 14
          [1,                    | line 1, column
          1 2                    | line 1, column 3
          NaN                    | line 1, column
          01                     | line 1, column
          'a'                    | line 1, column 1
          1e400                  | too large for float64
          """)
  void text_that_is_not_json_is_named_by_its_place_and_not_quoted(String json, String place) {
    assertThatThrownBy(() -> again(json))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining(place)
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void text_that_nests_too_deep_reaches_the_limit_of_templates_and_not_the_stack() {
    assertThatThrownBy(() -> again("[".repeat(200_000)))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining("nest deeper than 1000 levels");
  }
}
