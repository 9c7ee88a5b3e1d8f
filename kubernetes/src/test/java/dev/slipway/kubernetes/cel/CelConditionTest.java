package dev.slipway.kubernetes.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CelConditionTest {
  private static final Map<String, Object> OBJECT =
      Map.of(
          "kind",
          "Widget",
          "spec",
          Map.of("replicas", 3L, "ratio", 0.5),
          "status",
          Map.of("ready", 3L, "conditions", List.of(Map.of("type", "Ready", "status", "True"))));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status.ready == spec.replicas",
        "self.status.ready == 3",
        "spec.ratio < 1.0 && spec.ratio < 1",
        "status.conditions.exists(c, c.type == 'Ready' && c.status == 'True')",
        "status.?missing.orValue(true)",
        "!has(status.missing)",
        "has(status.ready)",
        "kind in ['Widget', 'Gadget']",
        "status.conditions.filter(c, c.type == 'Ready').size() == 1",
        "kind.matches('^W[a-z]+$')",
        "type(status.ready) == int",
        "status.conditions.map(c, c.type)[0] == 'Ready'"
      })
  void fields_of_the_object_are_variables(String source) throws CelFailure {
    assertThat(CelCondition.compile(source).holds(OBJECT)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status.missing == 1",
        "status.missing.deeper == 1",
        "nothing.at.all",
        "self.nothing == 1",
        "data.key == 'x'"
      })
  void a_field_that_is_not_there_is_told_apart(String source) throws CelFailure {
    CelCondition condition = CelCondition.compile(source);
    assertThatThrownBy(() -> condition.holds(OBJECT))
        .isInstanceOfSatisfying(
            CelFailure.class, e -> assertThat(e.isMissingField()).as(e.text()).isTrue());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status.ready + status.conditions == 3",
        "status.conditions[7] == 1",
        "1 / 0 == 1",
        "status.ready"
      })
  void other_errors_are_errors(String source) throws CelFailure {
    CelCondition condition = CelCondition.compile(source);
    assertThatThrownBy(() -> condition.holds(OBJECT))
        .isInstanceOfSatisfying(
            CelFailure.class, e -> assertThat(e.isMissingField()).as(e.text()).isFalse());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "status.", "1 + 1", "'text'", "nofunction(1)", "[1, 2", "a b"})
  void what_is_no_condition_is_refused_when_it_is_compiled(String source) {
    assertThatThrownBy(() -> CelCondition.compile(source)).isInstanceOf(CelFailure.class);
  }

  @Test
  void loops_in_loops_reach_the_limit() throws CelFailure {
    List<Object> many = new ArrayList<>();
    for (long i = 0; i < 300; i++) {
      many.add(i);
    }
    CelCondition condition = CelCondition.compile("l.all(a, l.all(b, l.all(c, a + b + c >= 0)))");
    assertThatThrownBy(() -> condition.holds(Map.of("l", many), Duration.ofMinutes(10)))
        .isInstanceOf(CelFailure.class)
        .hasMessageContaining("the condition costs more than");
  }

  @Test
  void long_texts_are_not_put_together() throws CelFailure {
    String sum = "s" + " + s".repeat(60) + " == ''";
    CelCondition condition = CelCondition.compile(sum);
    assertThatThrownBy(() -> condition.holds(Map.of("s", "x".repeat(100_000))))
        .isInstanceOf(CelFailure.class)
        .hasMessageContaining("a text of more than");
  }

  @Test
  void nested_source_is_refused_without_harm() {
    for (String part : List.of("(", "[", "!", "-", "a ? b : ", "a.")) {
      String source = part.repeat(4_000) + "a";
      assertThat(outcome(source)).isIn("refused", "false");
    }
    assertThatThrownBy(() -> CelCondition.compile("a" + " ".repeat(20_000)))
        .hasMessageContaining("at most");
  }

  private static String outcome(String source) {
    try {
      return String.valueOf(CelCondition.compile(source).holds(OBJECT));
    } catch (CelFailure e) {
      return "refused";
    }
  }

  @Test
  void null_is_a_field_that_is_not_there() throws CelFailure {
    Map<String, Object> status = new HashMap<>();
    status.put("phase", null);
    assertThat(CelCondition.compile("!has(status.phase)").holds(Map.of("status", status))).isTrue();
  }
}
