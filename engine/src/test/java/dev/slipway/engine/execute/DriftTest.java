package dev.slipway.engine.execute;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DriftTest {
  @Test
  void only_what_both_name_is_compared() {
    Drift drift = Drift.between(Map.of("host", "a", "port", 1L), Map.of("host", "b", "load", 3L));
    assertThat(drift.compared()).isEqualTo(1);
    assertThat(drift.differing()).containsExactly("host");
    assertThat(Drift.between(Map.of("host", "a"), Map.of("load", 3L)).compared()).isZero();
  }

  @Test
  void the_way_a_value_is_written_is_no_difference() {
    Map<String, Object> known =
        Map.of("n", new BigInteger("100000000000000000000"), "tree", Map.of("a", List.of(1L)));
    Map<String, Object> found = Map.of("n", 1e20, "tree", new TreeMap<>(Map.of("a", List.of(1.0))));
    assertThat(Drift.between(known, found).error()).isEmpty();
  }

  @Test
  void what_differs_is_named_and_never_shown() {
    Map<String, Object> known = Map.of("password", "old-secret", "tags", List.of("a"), "same", 1L);
    Map<String, Object> found = Map.of("password", "new-secret", "tags", List.of("b"), "same", 1L);
    StepError error = Drift.between(known, found).error().orElseThrow();
    assertThat(error.code()).isEqualTo("drift");
    assertThat(error.message()).isEqualTo("not as it was left: password, tags");
  }
}
