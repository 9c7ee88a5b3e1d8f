package dev.slipway.engine.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.Aggregate.Child;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class AggregateTest {
  private static NodeRef node(int number) {
    return new NodeRef("thing", "n" + number, "default");
  }

  private static List<Child> children(List<Health> healths) {
    List<Child> children = new ArrayList<>();
    for (int i = 0; i < healths.size(); i++) {
      children.add(new Child.Observed(node(i), healths.get(i)));
    }
    return children;
  }

  /** All lists of one, two and three children. */
  static Stream<List<Health>> families() {
    List<List<Health>> all = new ArrayList<>();
    for (Health a : Health.values()) {
      all.add(List.of(a));
      for (Health b : Health.values()) {
        all.add(List.of(a, b));
        for (Health c : Health.values()) {
          all.add(List.of(a, b, c));
        }
      }
    }
    return all.stream();
  }

  private static Health expected(List<Health> all) {
    if (all.stream().allMatch(Health.MISSING::equals)) {
      return Health.MISSING;
    }
    if (all.contains(Health.FAILED)) {
      return Health.FAILED;
    }
    if (all.contains(Health.DEGRADED) || all.contains(Health.MISSING)) {
      return Health.DEGRADED;
    }
    for (Health next : List.of(Health.UNKNOWN, Health.PROGRESSING, Health.SUSPENDED)) {
      if (all.contains(next)) {
        return next;
      }
    }
    return Health.HEALTHY;
  }

  @ParameterizedTest
  @MethodSource("families")
  void the_worst_child_wins(List<Health> healths) {
    Aggregate aggregate = Aggregate.of(children(healths));
    assertThat(aggregate.health()).isEqualTo(expected(healths));
    assertThat(aggregate.observed()).isEqualTo(healths.size());
    assertThat(aggregate.message().isEmpty()).isEqualTo(aggregate.health() == Health.HEALTHY);
  }

  @Test
  void without_children_nothing_is_known() {
    assertThat(Aggregate.of(List.of()).health()).isEqualTo(Health.UNKNOWN);
  }

  @Test
  void children_that_cannot_be_observed_are_left_out_and_counted() {
    List<Child> children = children(List.of(Health.HEALTHY, Health.HEALTHY));
    children.add(new Child.NotObservable(node(7)));
    Aggregate aggregate = Aggregate.of(children);
    assertThat(aggregate.health()).isEqualTo(Health.HEALTHY);
    assertThat(aggregate.coverage()).isEqualTo("2 of 3 observed");
  }

  @Test
  void with_none_observed_nothing_is_known() {
    Aggregate aggregate = Aggregate.of(List.of(new Child.NotObservable(node(1))));
    assertThat(aggregate.health()).isEqualTo(Health.UNKNOWN);
    assertThat(aggregate.coverage()).isEqualTo("0 of 1 observed");
  }

  @Test
  void the_message_names_three_of_the_worst() {
    Health bad = Health.DEGRADED;
    assertThat(Aggregate.of(children(List.of(bad, Health.HEALTHY, bad, bad, bad, bad))).message())
        .isEqualTo("thing:n0 is Degraded, thing:n2 is Degraded, thing:n3 is Degraded and 2 more");
  }
}
