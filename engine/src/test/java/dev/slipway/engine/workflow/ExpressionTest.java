package dev.slipway.engine.workflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.lifecycle.StepState;
import java.math.BigInteger;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExpressionTest {
  private static final Scope SCOPE = scope();

  private static Scope scope() {
    Map<String, Object> parameters = new HashMap<>();
    parameters.put("env", "production");
    parameters.put("size", 3L);
    parameters.put("huge", new BigInteger("123456789012345678901234567890"));
    parameters.put("ratio", 0.1);
    parameters.put("public", false);
    parameters.put("none", null);
    parameters.put("tags", List.of("db", "eu", 5L));
    parameters.put("labels", Map.of("team", "dba"));
    parameters.put("text", "false");
    parameters.put("digits", "10");
    parameters.put("zero", "0");
    Map<String, StepOutcome> steps =
        Map.of(
            "make-db", new StepOutcome(StepState.SUCCEEDED, Map.of("host", "db1", "count", "10")),
            "check", new StepOutcome(StepState.FAILED, Map.of()),
            "extra", new StepOutcome(StepState.SKIPPED, Map.of()));
    return Scope.of(parameters, Instant.EPOCH)
        .withSteps(steps)
        .withVariables(Map.of("region", "eu-west-1"))
        .withContext(Map.of("app", "shop"))
        .withEnv(Map.of("MODE", "fast"));
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "parameters.env == \"production\" | true",
        "parameters.env == production | true",
        "parameters.env matches ^p[a-z]+$ | true",
        "parameters.env matches ^(prod)uction$ and parameters.size == 3 | true",
        "(parameters.env matches ^s) or (parameters.env matches n$) | true",
        "parameters.env matches [0-9] | false",
        "parameters.env == 'staging' | false",
        "parameters.env != staging | true",
        "parameters.size == 3 | true",
        "parameters.size == \"3\" | true",
        "parameters.size == 3.0 | true",
        "parameters.size < 10 | true",
        "parameters.digits < 9 | false",
        "parameters.size >= 3 and parameters.size <= 3 | true",
        "parameters.huge == 123456789012345678901234567890 | true",
        "parameters.huge == 123456789012345678901234567891 | false",
        "parameters.ratio == 0.1 | true",
        "parameters.ratio < 0.2 | true",
        "parameters.public | false",
        "not parameters.public | true",
        "!parameters.public | true",
        "!!parameters.public | false",
        "parameters.public == false | true",
        "parameters.public == \"false\" | true",
        "parameters.text | false",
        "parameters.none | false",
        "parameters.none == \"\" | true",
        "parameters.none == null | true",
        "parameters.none contains x | false",
        "parameters.tags contains eu | true",
        "parameters.tags contains 5 | true",
        "parameters.tags contains us | false",
        "db in parameters.tags | true",
        "parameters.env in [staging, production] | true",
        "parameters.env in [\"staging\"] | false",
        "team in parameters.labels | true",
        "parameters.labels.team == dba | true",
        "parameters.env contains duct | true",
        "parameters.env startsWith prod | true",
        "parameters.env endsWith prod | false",
        "parameters.env.startsWith(\"prod\") | true",
        "parameters.env.contains('zz') | false",
        "parameters.env matches \"^prod.*n$\" | true",
        "parameters.env matches \"^\\d+$\" | false",
        "variables.region == eu-west-1 | true",
        "$MODE == fast | true",
        "${MODE} == fast | true",
        "${region} == eu-west-1 | true",
        "${NOPE:-x} == x | true",
        "${parameters.size} > 2 | true",
        "{{ .parameters.size }} == 3 | true",
        "{{ eq .parameters.env \"production\" }} | true",
        "\"{{ .parameters.env }}-1\" == production-1 | true",
        "\"${parameters.env}\" == production | true",
        "steps.make-db.output.host == db1 | true",
        "make-db.host == db1 | true",
        "steps.make-db.output.count > 9 | true",
        "steps.extra.output.anything == null | true",
        "make-db.success | true",
        "steps.make-db.success | true",
        "check.failed | true",
        "extra.skipped and not check.success | true",
        "context.app == shop | true",
        "parameters.env == staging or parameters.size > 1 | true",
        "true or false and false | true",
        "(true or false) and false | false",
        "not (true and false) | true",
        "true && not false | true",
        "parameters.host == db.example.com | false"
      })
  void conditions_hold_or_do_not(String source, boolean expected) {
    Scope scope =
        SCOPE.withParameters(
            new HashMap<>(SCOPE.parameters()) {
              private static final long serialVersionUID = 1L;

              {
                put("host", "localhost");
              }
            });
    assertThat(Expression.parse(source).holds(scope)).isEqualTo(expected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "`` | 0 | a value is missing at the end of the condition",
        "parameters.x == | 15 | a value is missing at the end of the condition",
        "== 3 | 0 | unexpected '='",
        "parameters.x = 3 | 13 | unexpected '='",
        "parameters.x =~ y | 13 | unexpected '=~'",
        "a == b == c | 7 | unexpected '=' after the condition",
        "a == b c | 7 | unexpected 'c' after the condition",
        "(a == b | 0 | this '(' is never closed",
        "a == b) | 6 | unexpected ')' after the condition",
        "a == \"b | 5 | this quote is never closed",
        "a in [b, c | 5 | this '[' is never closed",
        "production | 0 | the word 'production' alone is neither true nor false",
        "and | 0 | a value is missing before 'and'",
        "x == in | 5 | a value is missing before 'in'",
        "{{ .x == y | 0 | this '{' is never closed by '}}'",
        "${a b} == c | 0 | not a placeholder",
        "$ == c | 0 | '$' without the name of a variable",
        "x matches \"(\" | 10 | not a regular expression: error parsing regexp: missing closing ):"
            + " `(`"
      })
  void malformed_conditions_say_where(String source, int offset, String message) {
    assertThatThrownBy(() -> Expression.parse(source))
        .isInstanceOfSatisfying(
            ExpressionException.class,
            e -> {
              assertThat(e.getMessage()).isEqualTo(message);
              assertThat(e.offset()).isEqualTo(offset);
            });
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "parameters.env < 3 | '<' compares numbers, and text is none",
        "parameters.tags > 1 | '>' compares numbers, and a list is none",
        "parameters.none >= 1 | '>=' compares numbers, and null is none",
        "parameters.size contains 3 | 'contains' looks into text, a list or a map, not into a"
            + " number",
        "parameters.env startsWith parameters.tags | 'startsWith' compares text, and a list is"
            + " none",
        "parameters.zero | the text '0' is neither true nor false",
        "parameters.unknown | 'parameters.unknown' is not known",
        "$UNKNOWN == 1 | 'UNKNOWN' is neither in the step's env nor a variable",
        "later.success | 'later.success': there is no finished step of that name",
        "steps.make-db.output.nope == 1 | 'steps.make-db.output.nope' is not known"
      })
  void a_condition_without_an_answer_is_an_error_never_false(String source, String message) {
    assertThatThrownBy(() -> Expression.parse(source).holds(SCOPE))
        .isInstanceOf(RenderingException.class)
        .hasMessage(message);
  }

  @Test
  void random_text_gives_an_answer_or_our_own_exception_and_never_takes_long() {
    String[] bits = {
      "parameters.",
      "env",
      "size",
      "steps.",
      ".success",
      "==",
      "!=",
      "<",
      ">=",
      " and ",
      " or ",
      "not ",
      "!",
      "(",
      ")",
      "\"",
      "'",
      "[",
      "]",
      ",",
      "${",
      "}",
      "{{",
      "}}",
      "$",
      " in ",
      "matches ",
      "(((",
      "a*",
      "\\",
      ".contains(",
      "1e9",
      "-",
      "\u0000",
      "é",
      "\n",
      "10",
      ".",
      "|",
      "&&",
      "||"
    };
    Random random = new Random(7);
    long start = System.nanoTime();
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(12); n >= 0; n--) {
        text.append(bits[random.nextInt(bits.length)]);
      }
      try {
        Expression.parse(text.toString()).holds(SCOPE);
      } catch (ExpressionException | RenderingException e) {
        assertThat(e.getMessage()).isNotBlank();
      }
    }
    assertThat(System.nanoTime() - start).isLessThan(60_000_000_000L);
  }

  @Test
  void signs_and_words_connect_alike() {
    assertThat(Expression.parse("false && true || true").holds(SCOPE)).isTrue();
    assertThat(Expression.parse("false and true or true").holds(SCOPE)).isTrue();
  }

  @Test
  void nesting_and_length_are_bounded() {
    assertThatThrownBy(() -> Expression.parse("(".repeat(5_000)))
        .isInstanceOf(ExpressionException.class);
    assertThatThrownBy(() -> Expression.parse("!".repeat(20_000) + "true"))
        .isInstanceOf(ExpressionException.class);
    assertThat(Expression.parse("!".repeat(8_000) + "true").holds(SCOPE)).isTrue();
  }
}
