package dev.slipway.applications.score;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.score.Substitution.Answer;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Severity;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubstitutionTest {
  private static final Map<String, Object> VALUES = new HashMap<>();

  static {
    VALUES.put("${resources.db.host}", "localhost");
    VALUES.put("${resources.db.port}", 5432L);
    VALUES.put("${resources.db.tls}", false);
    VALUES.put("${resources.db.nothing}", null);
    VALUES.put("${resources.db.big}", new BigInteger("123456789012345678901234567890"));
    VALUES.put("${resources.db.map}", Map.of("b", 1L, "a", List.of(true)));
    VALUES.put("${resources.db.evil}", "${resources.db.host} $$ {{ x }}");
    VALUES.put("${resources.db}", "postgres.default#shop.db");
    VALUES.put("${metadata.annotations.acme\\.dev/x}", "note");
  }

  private static Answer find(ScorePlaceholder placeholder) {
    String key = placeholder.toString();
    return VALUES.containsKey(key)
        ? new Answer.Value(VALUES.get(key))
        : new Answer.Missing(placeholder, "no " + key, null);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "$abc | $abc",
        "$$ | $",
        "$${x} | ${x}",
        "$$$${x} | $${x}",
        "$$$ | $$",
        "$ | $",
        "a$ | a$",
        "$(x) $1 | $(x) $1",
        "} | }",
        "$${resources.db.host} | ${resources.db.host}",
        "$$${resources.db.host} | $localhost",
        "${resources.db.host} | localhost",
        "${resources.db.host}:${resources.db.port} | localhost:5432",
        "tls=${resources.db.tls} | tls=false",
        "x ${resources.db.nothing} | x null",
        "x ${resources.db.map} | x {\"a\":[true],\"b\":1}",
        "x ${resources.db.big} | x 123456789012345678901234567890",
        "${resources.db} | postgres.default#shop.db",
        "${metadata.annotations.acme\\.dev/x}! | note!",
        "${resources.db.outputs.host} | localhost",
      })
  void the_escaping_table(String written, String result) {
    var substitution = Substitution.parse(written);
    assertThat(substitution.text(SubstitutionTest::find).value()).isEqualTo(result);
    assertThat(substitution.problems()).noneMatch(p -> p.severity() == Severity.ERROR);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "${}",
        "${ }",
        "${.}",
        "${x}",
        "${resources}",
        "${metadata}",
        "${resources.}",
        "${resources..a}",
        "${environment}",
        "${environment.ttl}",
        "${containers.main}",
        "${containers.main.tag}",
        "${",
        "a ${resources.db",
        "${Resources.db}",
        "${$}",
        "$${a}${"
      })
  void anything_else_between_braces_is_an_error(String written) {
    assertThat(Substitution.parse(written).problems())
        .singleElement()
        .matches(problem -> problem.severity() == Severity.ERROR)
        .matches(problem -> problem.code().equals("invalid-placeholder"));
  }

  @Test
  void what_comes_out_of_a_placeholder_is_never_looked_at_again() {
    String evil = (String) VALUES.get("${resources.db.evil}");
    assertThat(Substitution.parse("${resources.db.evil}!").text(SubstitutionTest::find).value())
        .isEqualTo(evil + "!");
    assertThat(Substitution.resolve("${resources.db.evil}", SubstitutionTest::find).value())
        .isEqualTo(evil);
  }

  @Test
  void a_param_that_is_exactly_one_placeholder_keeps_its_type() {
    var params = new HashMap<String, Object>();
    params.put("port", "${resources.db.port}");
    params.put("tls", "${resources.db.tls}");
    params.put("nothing", "${resources.db.nothing}");
    params.put("big", "${resources.db.big}");
    params.put("text", " ${resources.db.port}");
    params.put("deep", List.of(Map.of("map", "${resources.db.map}"), 7L, true));
    params.put("${resources.db.host}", "a key is not looked at");
    params.put("null", null);

    var resolved = new HashMap<String, Object>();
    resolved.put("port", 5432L);
    resolved.put("tls", false);
    resolved.put("nothing", null);
    resolved.put("big", new BigInteger("123456789012345678901234567890"));
    resolved.put("text", " 5432");
    resolved.put("deep", List.of(Map.of("map", VALUES.get("${resources.db.map}")), 7L, true));
    resolved.put("${resources.db.host}", "a key is not looked at");
    resolved.put("null", null);
    var resolution = Substitution.resolve(params, SubstitutionTest::find);
    assertThat(resolution.complete()).isTrue();
    assertThat(resolution.value()).isEqualTo(resolved);
  }

  @Test
  void everything_that_is_missing_is_named() {
    var resolution =
        Substitution.resolve(
            Arrays.asList("${resources.db.user}", "x ${resources.q.url} ${metadata.y}"),
            SubstitutionTest::find);
    assertThat(resolution.complete()).isFalse();
    assertThat(resolution.missing())
        .extracting(Answer.Missing::message)
        .containsExactly("no ${resources.db.user}", "no ${resources.q.url}", "no ${metadata.y}");
  }

  @Test
  void references_say_where_they_stand() {
    var found = Substitution.references(Map.of("a", List.of("x", "to ${resources.db.a\\.b.c}")));
    assertThat(found)
        .containsExactly(
            new Substitution.Reference(
                new ScorePlaceholder.Output("db", List.of("a.b", "c")), Path.of("a", 1), 3));
    assertThat(found.getFirst().placeholder()).hasToString("${resources.db.a\\.b.c}");
  }

  @Test
  void old_forms_are_read_with_a_warning() {
    for (String old :
        List.of(
            "${resources.n.outputs.k}",
            "${environment.name}",
            "${environment.type}",
            "${containers.c.image}")) {
      assertThat(Substitution.parse(old).problems())
          .singleElement()
          .matches(problem -> problem.severity() == Severity.WARNING);
      assertThat(Substitution.parse(old).references()).hasSize(1);
    }
  }
}
