package dev.slipway.engine.workflow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.workflow.ParameterBinding.Bound;
import dev.slipway.engine.workflow.ParameterBinding.Sources;
import dev.slipway.engine.workflow.ParameterBinding.Words;
import java.math.BigInteger;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParameterBindingTest {

  private static Bound bind(String parameters, Map<String, Object> params, Words words) {
    Workflow workflow =
        Workflows.body(
                "parameters:\n"
                    + parameters.indent(2)
                    + "steps: [{name: a, type: shell, script: 'true'}]\n")
            .good();
    Map<String, Object> injected =
        Map.of("app_name", "shop", "environment", "prod", "namespace", "shop-prod");
    Map<String, Object> outputs = Map.of("host", "db1", "size", 9L, "resource_id", "of-another");
    return ParameterBinding.bind(
        workflow,
        new Sources(params, injected, outputs, words),
        Scope.of(Map.of(), Instant.EPOCH).withContext(Map.of("team", "dba")));
  }

  private static Bound bind(String parameters, Map<String, Object> params) {
    return bind(parameters, params, Words.STRICT);
  }

  @Test
  void the_identity_wins_then_params_then_proposals_then_outputs_and_then_defaults() {
    String declared =
        """
        - {name: app_name, default: d}
        - {name: environment, default: d}
        - {name: namespace, default: d}
        - {name: host, default: d}
        - {name: tier, default: d}
        - {name: none}
        """;
    Bound bound = bind(declared, Map.of("app_name", "own", "namespace", "mine", "extra", 1L));
    Map<String, Object> expected = new HashMap<>();
    expected.put("app_name", "shop");
    expected.put("environment", "prod");
    expected.put("namespace", "mine");
    expected.put("host", "db1");
    expected.put("tier", "d");
    expected.put("none", null);
    expected.put("extra", 1L);
    assertThat(bound.values()).isEqualTo(expected);
    assertThat(bound.undeclared()).containsExactly("extra");
    assertThat(bound.problems()).isEmpty();
  }

  @Test
  void a_name_of_the_identity_has_the_injected_value_or_none_whatever_offers_another() {
    String declared =
        """
        - {name: resource_id, default: of-the-workflow}
        - {name: host, default: d}
        """;
    Bound bound =
        bind(
            declared,
            Map.of("resource_id", "chosen", "team_id", "blue", "app_name", "..", "operation", "x"));
    Map<String, Object> expected = new HashMap<>();
    expected.put("app_name", "shop");
    expected.put("environment", "prod");
    expected.put("namespace", "shop-prod");
    expected.put("resource_id", null);
    expected.put("host", "db1");
    assertThat(bound.values()).isEqualTo(expected);
    assertThat(bound.undeclared()).isEmpty();
  }

  @Test
  void a_proposal_counts_where_the_workflow_does_not_declare_the_parameter() {
    assertThat(bind("- {name: host, default: d}", Map.of("namespace", "of-another")).values())
        .containsEntry("namespace", "shop-prod");
  }

  @Test
  void defaults_may_be_made_from_other_parameters_whatever_their_order() {
    String declared =
        """
        - {name: full, default: '{{ .parameters.base }}-{{ .parameters.n }}'}
        - {name: base, default: '${parameters.app_name}-db'}
        - {name: n, type: integer, default: 3}
        - {name: copy, type: integer, default: '{{ .parameters.n }}'}
        - {name: who, default: '{{ .context.team }}'}
        """;
    assertThat(bind(declared, Map.of()).values())
        .containsEntry("full", "shop-db-3")
        .containsEntry("copy", 3L)
        .containsEntry("who", "dba");
  }

  @Test
  void templates_deep_in_a_default_are_rendered_too() {
    String declared =
        """
        - {name: labels, type: object, default: {team: '{{ .parameters.owner }}', on: [true]}}
        - {name: hosts, type: array, default: ['${parameters.app_name}.local']}
        - {name: owner, default: dba}
        """;
    assertThat(bind(declared, Map.of()).values())
        .containsEntry("labels", Map.of("team", "dba", "on", List.of(true)))
        .containsEntry("hosts", List.of("shop.local"));
  }

  @Test
  void a_command_line_gives_maps_and_lists_as_json() {
    String declared = "- {name: m, type: object}\n- {name: l, type: list}";
    Map<String, Object> given = Map.of("m", "{\"a\": 1}", "l", "[\"x\"]");
    assertThat(bind(declared, given, Words.QUERY).values())
        .containsEntry("m", Map.of("a", 1L))
        .containsEntry("l", List.of("x"));
    assertThat(bind(declared, given).problems()).hasSize(2);
    assertThat(bind(declared, Map.of("m", "{", "l", "x"), Words.QUERY).problems()).hasSize(2);
  }

  @Test
  void durations_are_held_to_bounds_that_are_durations() {
    String declared = "- {name: ttl, type: duration, min: 5m, max: 1d}";
    assertThat(bind(declared, Map.of("ttl", "1h")).problems()).isEmpty();
    assertThat(bind(declared, Map.of("ttl", 600L)).problems()).isEmpty();
    assertThat(bind(declared, Map.of("ttl", "299s")).problems())
        .extracting(ParameterBinding.Problem::message)
        .containsExactly("'ttl': '299s' is less than the minimum 5m");
    assertThat(bind(declared, Map.of("ttl", "2d")).problems())
        .extracting(ParameterBinding.Problem::code)
        .containsExactly("above-maximum");
  }

  @ParameterizedTest(name = "{1} as {0}")
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "integer, 2, 2",
        "integer, -0, ",
        "integer, 2.0, 2",
        "integer, 2.5, ",
        "integer, 02, ",
        "integer, 99999999999999999999, 99999999999999999999",
        "number, 2.5, 2.5",
        "number, 1e3, 1000.0",
        "number, 1e999, ",
        "number, abc, ",
        "number, 0.10000000000000000001, ",
        "boolean, true, true",
        "boolean, yes, ",
        "boolean, 1, ",
        "duration, 1h30m, 1h30m",
        "duration, 5 minutes, ",
        "object, x, ",
        "array, x, ",
        "string, x, x"
      })
  void texts_convert_only_without_loss(String type, String text, String expected) {
    Bound bound = bind("- {name: p, type: " + type + "}", Map.of("p", text));
    if (expected == null) {
      assertThat(bound.problems())
          .extracting(ParameterBinding.Problem::code)
          .containsExactly("type-mismatch");
    } else {
      assertThat(bound.problems()).isEmpty();
      assertThat(String.valueOf(bound.values().get("p"))).isEqualTo(expected);
    }
  }

  @Test
  void values_keep_their_types() {
    BigInteger huge = new BigInteger("123456789012345678901234567890");
    String declared =
        """
        - {name: flag, type: bool}
        - {name: big, type: int}
        - {name: any}
        - {name: text, type: string}
        - {name: ratio, type: string}
        """;
    Bound bound =
        bind(
            declared,
            Map.of("flag", false, "big", huge, "any", List.of(1L), "text", 15L, "ratio", 1.1));
    assertThat(bound.values())
        .containsEntry("flag", false)
        .containsEntry("big", huge)
        .containsEntry("any", List.of(1L))
        .containsEntry("text", "15");
    assertThat(bound.problems())
        .containsExactly(
            new ParameterBinding.Problem(
                "type-mismatch",
                "ratio",
                "'ratio' must be a string, found 1.1",
                "Put it in quotes."));
  }

  @Test
  void query_values_may_say_yes_and_no() {
    String declared =
        "- {name: a, type: boolean}\n- {name: b, type: boolean}\n- {name: c, type: boolean}\n";
    assertThat(bind(declared, Map.of("a", "yes", "b", "off", "c", "1"), Words.QUERY).values())
        .containsEntry("a", true)
        .containsEntry("b", false)
        .containsEntry("c", true);
  }

  @Test
  void all_problems_come_at_once() {
    String declared =
        """
        - {name: must, required: true, description: Name of the thing.}
        - {name: size, enum: [small, large]}
        - {name: slug, pattern: '^[a-z]+$'}
        - {name: few, type: integer, max: 3}
        - {name: many, type: array, min: 2}
        - {name: password, type: string, pattern: '^x.*$'}
        - {name: port, type: integer}
        """;
    Bound bound =
        bind(
            declared,
            Map.of(
                "size",
                "medium",
                "slug",
                "A1",
                "few",
                4L,
                "many",
                List.of(1L),
                "password",
                "hunter2",
                "port",
                "http"));
    assertThat(bound.problems())
        .extracting(p -> p.code() + ": " + p.message() + (p.hint() == null ? "" : " | " + p.hint()))
        .containsExactly(
            "missing-parameter: 'must' is required | Name of the thing.",
            "not-allowed: 'size': 'medium' is not allowed | Allowed: small, large.",
            "pattern-mismatch: 'slug': 'A1' does not match ^[a-z]+$",
            "above-maximum: 'few': 4 is more than the maximum 3",
            "below-minimum: 'many': a list has less than the minimum of 2 entries",
            "pattern-mismatch: 'password': a secret value does not match ^x.*$",
            "type-mismatch: 'port' must be a whole number, found 'http'");
    assertThat(bound.secrets()).containsExactly("password");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "[a-z]+; the pattern must describe the whole value, from ^ to $. Write '^([a-z]+)$'.",
        "^[a-z]+; the pattern must describe the whole value, from ^ to $. Write '^([a-z]+)$'.",
        "[a-z]+$; the pattern must describe the whole value, from ^ to $. Write '^([a-z]+)$'.",
        "^a\\$; the pattern must describe the whole value, from ^ to $. Write '^(a\\)$'.",
        "^a|b$; ^ and $ belong to one side of | each. Write '^(a|b)$'.",
        "^(a)[|]|\\|$; ^ and $ belong to one side of | each. Write '^((a)[|]|\\|)$'.",
        "^(?m)a$; with the flag m, ^ and $ match at each line. Remove the flag m.",
        "^(?im:a)$; with the flag m, ^ and $ match at each line. Remove the flag m.",
        "^\\Qa$; \\Q is not allowed in a pattern. Escape with \\ instead."
      })
  void a_pattern_that_does_not_describe_the_whole_value_is_refused(String pattern, String text) {
    Workflows.Read read =
        Workflows.body(
            "parameters:\n  - {name: a, pattern: '"
                + pattern
                + "'}\nsteps: [{name: s, type: shell, script: 'true'}]\n");
    assertThat(read.texts()).containsExactly("w.yaml:5:24: parameters[0].pattern: " + text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"^a$", "^(a|b)$", "^[]|$^]+$", "^[^]|]$", "^[[:alpha:]|]$", "^\\|(?i:a|b)\\\\$"})
  void a_pattern_of_the_whole_value_loads(String pattern) {
    Workflows.body(
            "parameters:\n  - {name: a, pattern: '"
                + pattern
                + "'}\nsteps: [{name: s, type: shell, script: 'true'}]\n")
        .good();
  }

  @Test
  void an_enum_gives_the_value_as_it_was_declared() {
    assertThat(bind("- {name: n, enum: [1, 2]}", Map.of("n", "2")).values()).containsEntry("n", 2L);
  }
}
