package dev.slipway.engine.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.lifecycle.StepState;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RenderingTest {
  private static final BigInteger HUGE = new BigInteger("123456789012345678901234567890");
  private static final Rendering RENDERING = new Rendering(Workflows.TYPES);
  private static final Scope SCOPE = scope();

  private static Scope scope() {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("name", "shop");
    parameters.put("size", 3L);
    parameters.put("huge", HUGE);
    parameters.put("public", false);
    parameters.put("none", null);
    parameters.put("tags", List.of("a", "b"));
    parameters.put("evil", "{{ .parameters.name }} ${parameters.name}");
    return Scope.of(parameters, Instant.parse("2025-01-02T03:04:05Z"))
        .withSteps(
            Map.of(
                "make-db", new StepOutcome(StepState.SUCCEEDED, Map.of("host", "db1")),
                "extra", new StepOutcome(StepState.SKIPPED, Map.of())))
        .withVariables(Map.of("region", "eu"))
        .withContext(
            Map.of(
                "app", "shop",
                "environment", Map.of("name", "prod"),
                "resources", Map.of("db", Map.of("port", 5432L)),
                "metadata", Map.of("owner", "dba")))
        .withEnv(Map.of("MODE", "fast"));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      value = {
        "plain ¦ plain",
        "{{ .parameters.name }}-db ¦ shop-db",
        "${parameters.name}-{{ .parameters.size }} ¦ shop-3",
        "a ${parameters.size} ¦ a 3",
        "a ${parameters.tags} ¦ a [\"a\",\"b\"]",
        "a {{ .parameters.huge }} ¦ a 123456789012345678901234567890",
        "<{{ .parameters.none }}> ¦ <>",
        "<${parameters.none}> ¦ <>",
        "${variables.region}${workflow.region} ¦ eueu",
        "x ${steps.make-db.output.host} ${make-db.host} ¦ x db1 db1",
        "<{{ .steps.extra.output.anything }}> ¦ <>",
        "x ${resources.db.port} ${metadata.owner} ${environment.name} ${context.app} ¦ x 5432 dba"
            + " prod shop",
        "x ${MODE} ${region} ${NONE:-other}${NONE:-} ¦ x fast eu other",
        "$${parameters.name} $x ¦ ${parameters.name} $x",
        "x {{ .parameters.evil }} ¦ x {{ .parameters.name }} ${parameters.name}",
        "x ${parameters.evil} ¦ x {{ .parameters.name }} ${parameters.name}",
        "{{ if .parameters.public }}yes{{ else }}no{{ end }} ¦ no",
        "{{ range .parameters.tags }}<{{ . }}>{{ end }} ¦ <a><b>",
        "{{ .parameters.none | default \"d\" }}! ¦ d!",
        "{{ .parameters.name | upper }}{{ now | date \"2006\" }} ¦ SHOP2025",
        "{{ if false }}${unresolved.k}{{ end }}ok ¦ ok"
      })
  void text_is_rendered_once(String template, String expected) {
    assertThat(RENDERING.value(template, SCOPE)).isEqualTo(expected == null ? "" : expected);
  }

  @Test
  void exactly_one_expression_keeps_its_type() {
    assertThat(RENDERING.value("{{ .parameters.size }}", SCOPE)).isEqualTo(3L);
    assertThat(RENDERING.value("${parameters.size}", SCOPE)).isEqualTo(3L);
    assertThat(RENDERING.value("{{ .parameters.public }}", SCOPE)).isEqualTo(false);
    assertThat(RENDERING.value("{{ .parameters.huge }}", SCOPE)).isEqualTo(HUGE);
    assertThat(RENDERING.value("${parameters.tags}", SCOPE)).isEqualTo(List.of("a", "b"));
    assertThat(RENDERING.value("{{ .parameters.none }}", SCOPE)).isNull();
    assertThat(RENDERING.value("{{ add 1 .parameters.size }}", SCOPE)).isEqualTo(4L);
    assertThat(RENDERING.value("{{ splitList \",\" \"a,b\" }}", SCOPE))
        .isEqualTo(List.of("a", "b"));
  }

  @Test
  void trees_are_rendered_in_depth_and_keys_stay() {
    Object tree = Map.of("{{ k }}", List.of(1L, "${parameters.size}", Map.of("x", "v{{ 1 }}")));
    assertThat(RENDERING.value(tree, SCOPE))
        .isEqualTo(Map.of("{{ k }}", Arrays.asList(1L, 3L, Map.of("x", "v1"))));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{{ .parameters.nmae }} | nmae",
        "${parameters.nmae} | 'parameters.nmae' is not known",
        "${nope} x | 'nope' is neither in the step's env nor a variable",
        "${steps.later.output.k} | 'steps.later.output.k': there is no finished step 'later'",
        "${steps.make-db.output.hots} | 'steps.make-db.output.hots' is not known",
        "${a b} | '${a b}' is not a placeholder",
        "{{ ident \"x\" }} | 'ident' and 'literal' quote for SQL",
        "{{ range until 100000 }}x{{ end }} | ",
        "{{ repeat 2000000 \"x\" }} | ",
        "{{ env \"HOME\" }} | env"
      })
  void what_cannot_be_rendered_is_an_error(String template, String message) {
    assertThatThrownBy(() -> RENDERING.value(template, SCOPE))
        .isInstanceOf(RenderingException.class)
        .hasMessageContaining(message == null ? "" : message);
  }

  @Test
  void a_config_is_rendered_by_the_kinds_of_its_fields() {
    Workflow workflow =
        Workflows.body(
                """
                parameters: [{name: name}, {name: none}, {name: size}, {name: public}]
                steps:
                  - name: a
                    type: http
                    url: https://example.com/${parameters.name}
                    method: '{{ .parameters.none }}x'
                    headers: {X-Size: '{{ .parameters.size }}'}
                    json: {size: '${parameters.size}', none: '${parameters.none}'}
                    follow: '{{ .parameters.public }}'
                    limit: '{{ .parameters.size }}0'
                  - name: b
                    type: wait
                    condition: parameters.size > 2
                    interval: '{{ .parameters.size }}s'
                    duration: '{{ .parameters.none }}'
                """)
            .good();
    Map<String, Object> config = RENDERING.config(workflow.steps().getFirst(), SCOPE);
    Map<String, Object> json = new HashMap<>();
    json.put("size", 3L);
    json.put("none", null);
    assertThat(config)
        .isEqualTo(
            Map.of(
                "url",
                "https://example.com/shop",
                "method",
                "x",
                "headers",
                Map.of("X-Size", 3L),
                "json",
                json,
                "follow",
                false,
                "limit",
                30L));
    assertThat(RENDERING.config(workflow.steps().get(1), SCOPE))
        .isEqualTo(Map.of("condition", "parameters.size > 2", "interval", "3s"));
  }

  @Test
  void variables_see_those_before_them_and_outputs_keep_types() {
    Workflow workflow =
        Workflows.body(
                """
                variables: {a: '{{ .parameters.name }}', b: '${variables.a}-1', c: 5}
                steps: [{name: make-db, type: shell, script: 'true', outputs: [host]}]
                outputs: {host: '{{ .steps.make-db.output.host }}', port: 5432, all: {h: '${make-db.host}'}}
                """)
            .good();
    assertThat(RENDERING.variables(workflow, SCOPE))
        .isEqualTo(Map.of("a", "shop", "b", "shop-1", "c", 5L));
    assertThat(RENDERING.outputs(workflow, SCOPE))
        .isEqualTo(Map.of("host", "db1", "port", 5432L, "all", Map.of("h", "db1")));
  }

  @Test
  void values_in_sql_are_bound_and_names_are_quoted_as_the_database_does() {
    Workflow workflow =
        Workflows.body(
                """
                parameters: [{name: db}, {name: who}, {name: n}]
                steps:
                  - name: a
                    type: sql
                    connection: pg
                    statements:
                      - "GRANT ALL ON {{ ident .parameters.db }} TO {{ ident .parameters.who }}"
                      - "INSERT INTO t VALUES ({{ .parameters.who }}, ${parameters.n}, '?') -- '"
                      - "CREATE ROLE x PASSWORD {{ literal .parameters.who }}"
                    query: "SELECT a ?? 'b' FROM t WHERE id = ?"
                """)
            .good();
    Scope scope = Scope.of(Map.of("db", "my\"db`", "who", "o'b\\r", "n", 7L), Instant.EPOCH);
    Map<String, Object> config = RENDERING.config(workflow.steps().getFirst(), scope);
    List<?> statements = (List<?>) config.get("statements");
    RenderedSql grant = (RenderedSql) statements.get(0);
    assertThat(grant.text()).isEqualTo("GRANT ALL ON \"my\"\"db`\" TO \"o'b\\r\"");
    assertThat(grant.in(SqlDialect.MYSQL)).isEqualTo("GRANT ALL ON `my\"db``` TO `o'b\\r`");
    RenderedSql insert = (RenderedSql) statements.get(1);
    assertThat(insert.text()).isEqualTo("INSERT INTO t VALUES (?, ?, '?') -- '");
    assertThat(insert.values()).isEqualTo(List.of("o'b\\r", 7L));
    RenderedSql role = (RenderedSql) statements.get(2);
    assertThat(role.text()).isEqualTo("CREATE ROLE x PASSWORD  E'o''b\\\\r'");
    assertThat(role.in(SqlDialect.MYSQL)).isEqualTo("CREATE ROLE x PASSWORD 'o''b\\\\r'");
    assertThat(((RenderedSql) config.get("query")).values()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "SELECT '{{ .parameters.x }}' | 13 | a value stands in a string literal",
        "SELECT 'it''s {{ .parameters.x }}' | 19 | a value stands in a string literal",
        "SELECT E'a\\'{{ .parameters.x }}' | 17 | a value stands in a string literal",
        "SELECT 'a\\' {{ .parameters.x }} | 17 | a value stands in a string literal",
        "SELECT 'a\\'' {{ .parameters.x }} | 18 | a backslash stands before a quote",
        "SELECT `{{ .parameters.x }}` | 13 | a value stands in a quoted name",
        "SELECT 1 -- {{ .parameters.x }} | 17 | a value stands in a comment",
        "SELECT /* /* */ {{ .parameters.x }} */ 1 | 21 | a value stands in a comment",
        "DO $a$ SELECT $b$ {{ .parameters.x }} $a$ | 23 | a value stands in a dollar-quoted string",
        "SELECT ? + {{ .parameters.x }} | 5 | a statement has both templates and '?' for params"
      })
  void a_value_in_quotes_or_comments_of_sql_is_refused_when_the_provider_loads(
      String sql, int column, String message) {
    Workflows.Read read =
        Workflows.body(
            "parameters: [{name: x}]\n"
                + "steps:\n"
                + "- name: a\n"
                + "  type: sql\n"
                + "  connection: pg\n"
                + "  query: |\n"
                + "    "
                + sql.replace('`', '"')
                + "\n");
    assertThat(read.texts())
        .anySatisfy(
            text ->
                assertThat(text)
                    .startsWith("w.yaml:10:" + column + ": steps[0].query: " + message));
  }

  @Test
  void a_template_that_fails_says_its_line_and_column() {
    assertThatThrownBy(() -> RENDERING.value("fine\nand {{ index .parameters.name 99 }}", SCOPE))
        .isInstanceOf(RenderingException.class)
        .hasMessageStartingWith("line 2, column ")
        .hasMessageNotContaining("template:");
  }
}
