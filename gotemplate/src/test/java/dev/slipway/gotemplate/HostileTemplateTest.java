package dev.slipway.gotemplate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Generated templates that try to hang, to exhaust memory, or to reach values outside of their
 * data.
 */
class HostileTemplateTest {
  private static final Limits LIMITS =
      new Limits(20_000, 10_000, 20_000, 5_000, 30, Duration.ofSeconds(20));
  private static final List<String> PIECES =
      List.of(
          "{{",
          "}}",
          "{{-",
          "-}}",
          "(",
          ")",
          "|",
          ".",
          "..",
          "$",
          "$x",
          ":=",
          "=",
          ",",
          "if ",
          "range ",
          "with ",
          "end",
          "else ",
          "define ",
          "template ",
          "block ",
          "break",
          "continue",
          "\"a\"",
          "`r",
          "'c'",
          "1e9",
          "0x",
          "9999999999",
          "-1",
          "nil",
          "true",
          "printf ",
          "index ",
          "slice ",
          "print ",
          "len ",
          "call ",
          "html ",
          "eq ",
          "lt ",
          "and ",
          "or ",
          "%999999999d",
          "\"%[3]*.[2]*[1]f\"",
          ".class",
          ".getClass",
          ".f",
          ".l",
          ".m",
          ".s",
          "\n",
          " ",
          "\\",
          "\u0000",
          "\uD800",
          "é",
          "/*",
          "*/");

  private static Map<String, Object> data() {
    Map<String, Object> data = new HashMap<>();
    data.put("l", List.of(1, "two", 3.0, List.of()));
    data.put("s", "héllo\uDC80");
    data.put("m", data);
    data.put("f", Function.of("f", "test", "(v ...any) any", "", c -> c.size()));
    data.put("n", null);
    return data;
  }

  @Test
  void random_pieces_never_do_anything_but_render_or_fail_properly() {
    Random random = new Random(20260101);
    Map<String, Object> data = data();
    Settings settings = Settings.DEFAULT.withLimits(LIMITS);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(25); n >= 0; n--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      survive(text.toString(), data, settings);
    }
  }

  @Test
  void well_formed_loops_and_calls_are_stopped_by_a_limit() {
    Random random = new Random(7);
    Settings settings = Settings.DEFAULT.withLimits(LIMITS);
    Map<String, Object> data = data();
    for (int i = 0; i < 500; i++) {
      String text =
          "{{define \"r\"}}"
              + statement(random, 4)
              + "{{end}}{{$x := \"ab\"}}"
              + statement(random, 5);
      survive(text, data, settings);
    }
  }

  private static String statement(Random random, int depth) {
    if (depth == 0) {
      return List.of(
              "{{.}}",
              "{{$x := print . .}}{{$x}}",
              "text",
              "{{template \"r\" .}}",
              "{{printf \"%9999v\" .}}")
          .get(random.nextInt(5));
    }
    String inner = statement(random, depth - 1) + statement(random, depth - 1);
    return switch (random.nextInt(7)) {
      case 0 -> "{{range 999999999}}" + inner + "{{end}}";
      case 1 -> "{{range $i, $e := $}}" + inner + "{{end}}";
      case 2 -> "{{with $}}" + inner + "{{end}}";
      case 3 -> "{{template \"r\" $}}" + inner;
      case 4 ->
          "{{$y := \"abcdefgh\"}}{{range 99}}{{$y = printf \"%s%s%q\" $y $y $y}}{{end}}" + inner;
      case 5 -> "{{if not (eq 1 2)}}" + inner + "{{end}}";
      default -> "{{html $}}{{js $}}{{urlquery $}}" + inner;
    };
  }

  private static void survive(String text, Object data, Settings settings) {
    try {
      String output = Template.parse("t", text, settings).execute(data);
      assertThat(output.length()).isLessThanOrEqualTo(20_000);
    } catch (TemplateException e) {
      assertThat(e.reason()).doesNotContain("java.").doesNotContain("class ");
      assertThat(e.reason()).as(text).isNotEmpty().isNotEqualTo("null");
      assertThat(e.position().line()).isPositive();
    }
  }
}
