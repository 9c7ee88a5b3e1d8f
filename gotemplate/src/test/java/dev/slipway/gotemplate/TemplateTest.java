package dev.slipway.gotemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.slipway.gotemplate.Settings.FieldNames;
import dev.slipway.gotemplate.Settings.MissingKey;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class TemplateTest {
  record Host(String name, int port, List<String> tags) {}

  private static String run(String text, Object data) {
    return Template.parse("t", text).execute(data);
  }

  private static String run(String text, Object data, Settings settings) {
    return Template.parse("t", text, settings).execute(data);
  }

  private static TemplateException failure(String text, Object data, Settings settings) {
    return catchThrowableOfType(
        TemplateException.class, () -> Template.parse("t", text, settings).execute(data));
  }

  @Test
  void a_record_is_read_by_the_names_of_its_components() {
    Host host = new Host("db", 5432, List.of("a", "b"));
    assertThat(run("{{.name}}:{{.Port}} {{index .tags 1}}", host)).isEqualTo("db:5432 b");
    assertThat(run("{{printf \"%v %+v\" . .}}", host))
        .isEqualTo("{db 5432 [a b]} {name:db port:5432 tags:[a b]}");
  }

  @Test
  void methods_of_a_record_that_are_no_components_cannot_be_reached() {
    for (String name : List.of("getClass", "hashCode", "toString", "class")) {
      assertThat(failure("{{." + name + "}}", new Host("a", 1, List.of()), Settings.DEFAULT))
          .hasMessageContaining("can't evaluate field " + name);
    }
  }

  @Test
  void an_arbitrary_java_object_is_refused_wherever_it_appears() {
    Object secret = new Thread("secret");
    Map<String, Object> data = Map.of("o", secret, "l", List.of(secret), "m", Map.of("k", secret));
    for (String text :
        List.of(
            "{{.o}}",
            "{{.o.name}}",
            "{{.l}}",
            "{{index .l 0}}",
            "{{range .l}}{{.}}{{end}}",
            "{{.m}}",
            "{{printf \"%v\" .m}}",
            "{{eq .o .o}}",
            "{{if .o}}{{end}}",
            "{{len .o}}")) {
      TemplateException e = failure(text, data, Settings.DEFAULT);
      assertThat(e).as(text).isNotNull();
      assertThat(e)
          .hasMessageContaining("Thread is not available")
          .hasMessageNotContaining("secret");
    }
  }

  @Test
  void numbers_keep_their_go_types_and_big_integers_stay_exact() {
    BigInteger big = new BigInteger("123456789012345678901234567890");
    Map<String, Object> data =
        Map.of(
            "int",
            7,
            "long",
            7L,
            "float",
            7.5,
            "decimal",
            new BigDecimal("2.50"),
            "big",
            big,
            "i64",
            GoInteger.int64(7),
            "rune",
            GoInteger.rune('x'));
    assertThat(
            run(
                "{{printf \"%T %T %T %T %T %T %T\" .int .long .float .decimal .big .i64 .rune}}",
                data))
        .isEqualTo("int int float64 float64 *big.Int int64 int32");
    assertThat(run("{{.big}} {{.decimal}} {{printf \"%d\" .big}}", data))
        .isEqualTo(big + " 2.5 " + big);
    assertThat(run("{{eq .int .i64}} {{lt .int .big}} {{eq .big .big}} {{gt .big 0}}", data))
        .isEqualTo("true true true true");
  }

  @Test
  void map_keys_come_in_the_order_of_their_bytes() {
    Map<String, Object> data = new HashMap<>();
    List.of("b", "\uD83D\uDE00", "\uFF5E", "a", "Z").forEach(k -> data.put(k, 1));
    assertThat(run("{{range $k, $v := .}}{{$k}},{{end}}", data))
        .isEqualTo("Z,a,b,\uFF5E,\uD83D\uDE00,");
  }

  @Test
  void a_hyphen_belongs_to_a_field_name_only_if_asked_for() {
    Map<String, Object> data =
        Map.of("steps", Map.of("make-redis", Map.of("output", Map.of("host", "h"))), "a", 3);
    Settings dialect = Settings.DEFAULT.withFieldNames(FieldNames.HYPHENATED);
    assertThat(run("{{ .steps.make-redis.output.host }}", data, dialect)).isEqualTo("h");
    assertThat(run("x {{- .a -}} y {{ .a -}} z", data, dialect)).isEqualTo("x3y 3z");
    assertThat(failure("{{ .steps.make-redis }}", data, Settings.DEFAULT))
        .hasMessageContaining("bad character U+002D '-'")
        .hasMessageContaining("index");
    assertThat(failure("{{ .a- }}", data, dialect)).isNotNull();
  }

  @Test
  void missing_keys_follow_the_setting() {
    Settings zero = Settings.DEFAULT.withMissingKey(MissingKey.ZERO);
    Settings error = Settings.DEFAULT.withMissingKey(MissingKey.ERROR);
    Map<String, Object> data =
        Map.of("name", "x", "texts", TypedMap.of(GoType.STRING, new HashMap<>()));
    assertThat(run("{{.nme}}|{{.texts.q}}", data)).isEqualTo("<no value>|<no value>");
    assertThat(run("{{.nme}}|{{.texts.q}}", data, zero)).isEqualTo("<no value>|");
    TemplateException e = failure("\n {{.nme}}", data, error);
    assertThat(e).hasMessageContaining("map has no entry for key \"nme\"");
    assertThat(e.hint()).contains("Did you mean \"name\"?");
    assertThat(e.position()).isEqualTo(new Position("t", 2, 4));
    assertThat(e.text()).isEqualTo(".nme");
    assertThat(failure("{{.a.b}}", null, error)).hasMessageContaining("nil data");
  }

  @Test
  void errors_say_where_what_and_what_may_have_been_meant() {
    TemplateException parse =
        catchThrowableOfType(
            TemplateException.class, () -> Template.parse("hub.yaml", "a\nb {{ prinft 1 }}"));
    assertThat(parse.kind()).isEqualTo(TemplateException.Kind.PARSE);
    assertThat(parse.position()).isEqualTo(new Position("hub.yaml", 2, 6));
    assertThat(parse)
        .hasMessage(
            "template: hub.yaml:2:6: at <{{ prinft>: function \"prinft\" not defined."
                + " Did you mean \"printf\"?");
    TemplateException field = failure("{{ .nam }}", new Host("a", 1, List.of()), Settings.DEFAULT);
    assertThat(field.hint()).contains("Did you mean \"name\"?");
  }

  @Test
  void an_excluded_function_is_refused_with_the_reason() {
    Functions functions = Functions.NONE.excluding("it exposes the server", "env", "expandenv");
    TemplateException e =
        failure("{{ env \"HOME\" }}", null, Settings.DEFAULT.withFunctions(functions));
    assertThat(e.kind()).isEqualTo(TemplateException.Kind.PARSE);
    assertThat(e).hasMessageContaining("function \"env\" is not available: it exposes the server");
  }

  @Test
  void function_sets_are_values_that_can_be_composed() {
    Function shout =
        Function.of("shout", "test", "(s string) string", "upper case", c -> c.string(0) + "!");
    Functions base = Functions.of(shout);
    Settings renamed = Settings.DEFAULT.withFunctions(base.rename("shout", "yell"));
    assertThat(run("{{ yell \"a\" }}{{ \"b\" | yell }}", null, renamed)).isEqualTo("a!b!");
    assertThat(failure("{{ shout \"a\" }}", null, renamed)).hasMessageContaining("not defined");
    assertThat(base.find("shout")).isPresent();
    assertThat(base.without("shout").all()).isEmpty();
  }

  @Test
  void arguments_are_checked_against_the_signature() {
    Function repeat =
        Function.of(
            "times",
            "test",
            "(n int, s string) string",
            "",
            c -> c.string(1).repeat((int) c.integer(0)));
    Function half = Function.of("half", "test", "(x float64) float64", "", c -> c.real(0) / 2);
    Settings settings = Settings.DEFAULT.withFunctions(Functions.of(repeat, half));
    assertThat(run("{{ times 2 \"a\" }} {{ half 3 }}", null, settings)).isEqualTo("aa 1.5");
    assertThat(failure("{{ times \"2\" \"a\" }}", null, settings))
        .hasMessageContaining("expected integer; found \"2\"");
    assertThat(failure("{{ times 2 .n }}", Map.of("n", 3), settings))
        .hasMessageContaining("wrong type for value; expected string; got int");
    assertThat(failure("{{ times .n \"a\" }}", Map.of("n", GoInteger.int64(3)), settings))
        .hasMessageContaining("expected int; got int64");
    assertThat(failure("{{ times 2 }}", null, settings)).hasMessageContaining("want 2 got 1");
  }

  @Test
  void an_emitter_decides_what_is_written_for_each_value() {
    List<Object> bound = new ArrayList<>();
    Emitter sql =
        (value, position, output) -> {
          bound.add(value);
          output.append("$" + bound.size());
        };
    Map<String, Object> data =
        new HashMap<>(Map.of("a", "x'; drop", "n", 3, "l", List.of("p", "q")));
    data.put("nothing", null);
    String text =
        Template.parse("t", "select {{.a}}, {{.n}}{{range .l}}, {{.}}{{end}}, {{.nothing}}")
            .execute(data, sql);
    assertThat(text).isEqualTo("select $1, $2, $3, $4, $5");
    assertThat(bound).containsExactly("x'; drop", 3L, "p", "q", null);
  }

  @Test
  void a_template_that_is_one_expression_gives_a_typed_value() {
    assertThat(Template.parse("t", "{{ .n }}").isSingleExpression()).isTrue();
    assertThat(Template.parse("t", "{{ .n }}").evaluate(Map.of("n", 3))).isEqualTo(3L);
    assertThat(Template.parse("t", "{{ .l }}").evaluate(Map.of("l", List.of(1))))
        .isEqualTo(List.of(1));
    for (String text :
        List.of(" {{.n}}", "{{.n}}{{.n}}", "{{$x := 1}}", "{{if .n}}{{end}}", "n", "")) {
      Template template = Template.parse("t", text);
      assertThat(template.isSingleExpression()).as(text).isFalse();
      assertThatIllegalStateException().isThrownBy(() -> template.evaluate(null));
    }
  }

  @Test
  void references_list_the_field_chains_with_their_places() {
    Settings dialect = Settings.DEFAULT.withFieldNames(FieldNames.HYPHENATED);
    Template template =
        Template.parse(
            "t",
            "{{ .steps.make-redis.output.host }}\n{{ range $.l }}{{ .name }}{{ end }}{{ (index .m 1).x }}"
                + "{{ define \"d\" }}{{ .y }}{{ end }}",
            dialect);
    assertThat(template.references())
        .containsExactly(
            new Reference(
                Reference.Root.DATA,
                List.of("steps", "make-redis", "output", "host"),
                new Position("t", 1, 4)),
            new Reference(Reference.Root.DATA, List.of("l"), new Position("t", 2, 10)),
            new Reference(Reference.Root.DOT, List.of("name"), new Position("t", 2, 19)),
            new Reference(Reference.Root.DATA, List.of("m"), new Position("t", 2, 46)),
            new Reference(Reference.Root.COMPUTED, List.of("x"), new Position("t", 2, 39)),
            new Reference(Reference.Root.DOT, List.of("y"), new Position("t", 2, 75)));
  }

  @Test
  void defined_templates_can_be_executed_by_name() {
    Template template = Template.parse("t", "{{define \"a\"}}<{{.}}>{{end}}{{template \"a\" 1}}");
    assertThat(template.names()).containsExactlyInAnyOrder("t", "a");
    assertThat(template.execute(null)).isEqualTo("<1>");
    assertThat(template.executeNamed("a", 2)).isEqualTo("<2>");
    assertThat(catchThrowableOfType(TemplateException.class, () -> template.executeNamed("b", 2)))
        .hasMessageContaining("template \"b\" not defined");
  }

  @Test
  void delimiters_can_be_chosen() {
    Settings square = Settings.DEFAULT.withDelimiters("[[", "]]");
    assertThat(run("{{x}} [[ .a -]]  y [[/* c */]]", Map.of("a", 1), square))
        .isEqualTo("{{x}} 1y ");
  }

  @Test
  void functions_see_the_clock_of_the_execution() {
    Function now = Function.of("now", "test", "() string", "", c -> c.clock().instant().toString());
    Template template =
        Template.parse("t", "{{ now }}", Settings.DEFAULT.withFunctions(Functions.of(now)));
    Clock fixed = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
    assertThat(template.with(Settings.DEFAULT.withClock(fixed)).execute(null))
        .isEqualTo("1970-01-01T00:00:00Z");
  }

  @Test
  void objects_offer_exactly_their_members() {
    GoObject version = new Version(1, 2);
    Map<String, Object> data = Map.of("v", version);
    assertThat(run("{{.v}} {{.v.Major}} {{.v.Plus 3}} {{4 | .v.Plus}} {{printf \"%T\" .v}}", data))
        .isEqualTo("1.2 1 4 5 *test.Version");
    assertThat(failure("{{.v.Mayor}}", data, Settings.DEFAULT).hint())
        .contains("Did you mean \"Major\"?");
    assertThat(failure("{{.v.Plus}}", data, Settings.DEFAULT)).hasMessageContaining("want 1 got 0");
    assertThat(failure("{{.v.Plus \"a\"}}", data, Settings.DEFAULT))
        .hasMessageContaining("expected integer");
  }

  record Version(long major, long minor) implements GoObject {
    private static final Map<String, Member> MEMBERS =
        Map.of(
            "Major", Member.field((self, _) -> ((Version) self).major),
            "Plus", Member.method((self, c) -> ((Version) self).major + c.integer(0), GoType.INT));

    @Override
    public GoType type() {
      return GoType.basic(Kind.PTR, "*test.Version");
    }

    @Override
    public String text() {
      return major + "." + minor;
    }

    @Override
    public Map<String, Member> members() {
      return MEMBERS;
    }
  }

  @Test
  void bytes_that_are_no_utf8_are_kept_and_join_again() {
    assertThat(run("{{slice . 0 1}}{{slice . 1 2}}", "é")).isEqualTo("é");
    assertThat(Text.bytes(run("{{\"\\xff\\xfe\"}}", null))).containsExactly(0xff, 0xfe);
    assertThat(run("{{printf \"%q\" (slice . 0 1)}}", "é")).isEqualTo("\"\\xc3\"");
  }

  @Test
  void many_threads_execute_one_template() throws Exception {
    Template template =
        Template.parse(
            "t",
            "{{$x := .n}}{{range $i := 50}}{{$x}}{{end}}{{template \"d\" .n}}{{define \"d\"}}={{.}}{{end}}");
    try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        int n = i;
        tasks.add(() -> template.execute(Map.of("n", n)).equals(("" + n).repeat(50) + "=" + n));
      }
      for (var done : pool.invokeAll(tasks)) {
        assertThat(done.get()).isTrue();
      }
    }
  }
}
