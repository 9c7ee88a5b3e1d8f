package dev.slipway.gotemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.gotemplate.TemplateException.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitsTest {
  private static final Limits SMALL =
      new Limits(1_000, 700, 10_000, 500, 20, Duration.ofSeconds(5));

  private static TemplateException failure(String text, Object data, Limits limits) {
    return catchThrowableOfType(
        TemplateException.class,
        () -> Template.parse("t", text, Settings.DEFAULT.withLimits(limits)).execute(data));
  }

  @Test
  void output_has_a_limit() {
    TemplateException e = failure("\n{{range 400}}abc{{end}}", null, SMALL);
    assertThat(e.kind()).isEqualTo(Kind.OUTPUT_LIMIT);
    assertThat(e).hasMessageContaining("more than 1000 characters");
    assertThat(e.position().line()).isEqualTo(2);
  }

  @Test
  void text_that_is_never_written_has_the_same_limit() {
    String doubling = "{{$s := \"xxxx\"}}{{range 60}}{{$s = print $s $s}}{{end}}";
    assertThat(failure(doubling, null, SMALL).kind()).isEqualTo(Kind.OUTPUT_LIMIT);
    assertThat(failure("{{$x := printf \"%999999d\" 1}}", null, SMALL).kind())
        .isEqualTo(Kind.OUTPUT_LIMIT);
    assertThat(failure("{{$x := printf \"%.999999f\" 1.5}}", null, SMALL).kind())
        .isEqualTo(Kind.OUTPUT_LIMIT);
  }

  @Test
  void the_text_that_a_function_gives_is_measured_in_bytes() {
    Function wide =
        Function.of("wide", "test", "(n int) string", "", c -> "漢".repeat((int) c.integer(0)));
    Settings settings = Settings.DEFAULT.withFunctions(Functions.of(wide));
    TemplateException e =
        catchThrowableOfType(
            TemplateException.class,
            () -> Template.parse("t", "{{$x := wide 349526}}", settings).execute(null));
    assertThat(e.kind()).isEqualTo(Kind.OUTPUT_LIMIT);
    assertThat(e).hasMessageContaining("wide gives more than 1048576 bytes");
    assertThat(Template.parse("t", "{{wide 349525 | len}}", settings).execute(null))
        .isEqualTo("1048575");
  }

  @Test
  void lists_and_maps_that_a_function_gives_have_a_limit() {
    Function many =
        Function.of(
            "many", "test", "(n int) any", "", c -> Collections.nCopies((int) c.integer(0), 1L));
    Settings settings = Settings.DEFAULT.withFunctions(Functions.of(many));
    TemplateException e =
        catchThrowableOfType(
            TemplateException.class,
            () -> Template.parse("t", "{{$x := many 10001}}", settings).execute(null));
    assertThat(e.kind()).isEqualTo(Kind.ELEMENT_LIMIT);
    assertThat(e).hasMessageContaining("many gives 10001 elements, more than 10000");
    assertThat(Template.parse("t", "{{many 10000 | len}}", settings).execute(null))
        .isEqualTo("10000");
  }

  @Test
  void iterations_have_a_limit() {
    TemplateException e = failure("{{range 600}}{{end}}", null, SMALL);
    assertThat(e.kind()).isEqualTo(Kind.ITERATION_LIMIT);
    assertThat(failure("{{range 30}}{{range 30}}{{end}}{{end}}", null, SMALL).kind())
        .isEqualTo(Kind.ITERATION_LIMIT);
  }

  @Test
  void steps_have_a_limit() {
    String text = "{{range 400}}" + "{{$x := 1}}".repeat(40) + "{{end}}";
    assertThat(failure(text, null, SMALL).kind()).isEqualTo(Kind.STEP_LIMIT);
  }

  @Test
  void recursion_has_a_limit() {
    TemplateException e =
        failure("{{define \"a\"}}{{template \"a\"}}{{end}}{{template \"a\"}}", null, SMALL);
    assertThat(e.kind()).isEqualTo(Kind.DEPTH_LIMIT);
    assertThat(e).hasMessageContaining("more than 20 deep");
  }

  @Test
  void time_has_a_limit() {
    Limits generous =
        new Limits(1 << 20, 10_000, Long.MAX_VALUE / 2, Long.MAX_VALUE, 100, Duration.ofMillis(50));
    TemplateException e = failure("{{range 9000000000000}}{{end}}", null, generous);
    assertThat(e.kind()).isEqualTo(Kind.TIME_LIMIT);
  }

  @Test
  void a_function_is_stopped_before_it_makes_a_huge_text() {
    Function repeat =
        Function.of(
            "repeat",
            "test",
            "(n int, s string) string",
            "",
            c -> {
              c.room(c.integer(0) * c.string(1).length());
              return c.string(1).repeat((int) c.integer(0));
            });
    Settings settings = Settings.DEFAULT.withFunctions(Functions.of(repeat));
    TemplateException e =
        catchThrowableOfType(
            TemplateException.class,
            () -> Template.parse("t", "{{repeat 1000000000 \"x\"}}", settings).execute(null));
    assertThat(e.kind()).isEqualTo(Kind.OUTPUT_LIMIT);
  }

  @Test
  void a_value_that_contains_itself_is_not_printed_for_ever() {
    Map<String, Object> map = new HashMap<>();
    map.put("self", map);
    map.put("again", List.of(map, map));
    assertThat(failure("{{.}}", map, Limits.DEFAULT).kind().limit()).isTrue();
    List<Object> list = new ArrayList<>();
    list.add(list);
    assertThat(failure("{{printf \"%q\" .}}", list, Limits.DEFAULT).kind())
        .isEqualTo(Kind.DEPTH_LIMIT);
  }

  @Test
  void deep_nesting_is_refused_and_does_not_exhaust_the_stack() {
    int deep = 100_000;
    for (String text :
        List.of(
            "{{if 1}}".repeat(deep),
            "{{range .}}".repeat(deep),
            "{{with .}}".repeat(deep) + "{{end}}".repeat(deep),
            "{{if 0}}" + "{{else if 0}}".repeat(deep) + "{{end}}",
            "{{" + "(".repeat(deep) + "1" + ")".repeat(deep) + "}}",
            "{{block \"a\" .}}".repeat(deep))) {
      assertThat(failure(text, null, Limits.DEFAULT).kind()).isEqualTo(Kind.PARSE);
    }
  }

  @Test
  void long_but_flat_templates_are_fine() {
    String pipes = "{{1" + " | print".repeat(20_000) + "}}";
    assertThat(Template.parse("t", pipes).execute(null)).isEqualTo("1");
    String chain = "{{" + ".a".repeat(20_000) + "}}";
    assertThat(Template.parse("t", chain).execute(null)).isEqualTo("<no value>");
    String comments = "{{/* c */}}".repeat(20_000);
    assertThat(Template.parse("t", comments).execute(null)).isEmpty();
    String digits = "{{" + "1".repeat(20_000) + ".5}}";
    assertThat(failure(digits, null, Limits.DEFAULT)).hasMessageContaining("illegal number");
  }

  @Test
  void templates_nested_inside_templates_end_in_an_error_and_not_in_a_stack_overflow() {
    String body = "{{if 1}}".repeat(300) + "{{template \"a\" .}}" + "{{end}}".repeat(300);
    Limits deep = Limits.DEFAULT.withDepth(100_000);
    TemplateException e =
        failure("{{define \"a\"}}" + body + "{{end}}{{template \"a\" .}}", null, deep);
    assertThat(e.kind()).isEqualTo(Kind.DEPTH_LIMIT);
  }
}
