package dev.slipway.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class OrderTest {
  private static Order order(Map<String, Set<String>> needs) {
    return new Order(needs);
  }

  @Test
  void levels_are_sorted_and_hold_what_depends_on_earlier_ones_only() {
    Order order =
        order(Map.of("c", Set.of("a", "b"), "b", Set.of(), "a", Set.of(), "d", Set.of("c", "x")));
    assertThat(order.levels()).containsExactly(List.of("a", "b"), List.of("c"), List.of("d"));
  }

  @Test
  void a_cycle_is_named_by_its_path() {
    Order order =
        order(Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of("b"), "d", Set.of()));
    assertThat(order.cycle()).contains(List.of("b", "c", "b"));
    assertThat(order.sorted()).containsExactly("d");
  }

  @Test
  void in_a_thousand_random_graphs_every_dependency_comes_first() {
    Random random = new Random(7);
    for (int round = 0; round < 1000; round++) {
      int size = 1 + random.nextInt(20);
      Map<String, Set<String>> needs = new TreeMap<>();
      for (int node = 0; node < size; node++) {
        Set<String> on = new TreeSet<>();
        for (int other = 0; other < node; other++) {
          if (random.nextInt(4) == 0) {
            on.add("n" + other);
          }
        }
        needs.put("n" + node, on);
      }
      List<String> sorted = order(needs).sorted();
      assertThat(sorted).hasSize(size);
      Map<String, Integer> at = new HashMap<>();
      sorted.forEach(n -> at.put(n, at.size()));
      needs.forEach((n, on) -> on.forEach(d -> assertThat(at.get(d)).isLessThan(at.get(n))));
      assertThat(order(needs).cycle()).isEmpty();
    }
  }

  @Test
  void in_a_thousand_random_graphs_with_a_cycle_the_path_is_a_real_one() {
    Random random = new Random(11);
    for (int round = 0; round < 1000; round++) {
      int size = 2 + random.nextInt(15);
      List<String> nodes = new ArrayList<>();
      Map<String, Set<String>> needs = new TreeMap<>();
      for (int i = 0; i < size; i++) {
        nodes.add("n" + i);
        needs.put("n" + i, new TreeSet<>());
      }
      for (int edge = 0; edge < size * 2; edge++) {
        needs.get(nodes.get(random.nextInt(size))).add(nodes.get(random.nextInt(size)));
      }
      order(needs)
          .cycle()
          .ifPresent(
              path -> {
                assertThat(path.getFirst()).isEqualTo(path.getLast());
                for (int i = 0; i + 1 < path.size(); i++) {
                  assertThat(needs.get(path.get(i))).contains(path.get(i + 1));
                }
              });
      assertThat(order(needs).cycle().isPresent()).isEqualTo(order(needs).sorted().size() < size);
    }
  }

  @Test
  void the_heaviest_chain_is_the_critical_path() {
    Map<String, Set<String>> needs =
        Map.of("a", Set.of(), "b", Set.of("a"), "c", Set.of("a"), "d", Set.of("b", "c"));
    Map<String, Long> weight = Map.of("a", 1L, "b", 5L, "c", 9L, "d", 1L);
    assertThat(order(needs).heaviestChain(weight::get)).containsExactly("a", "c", "d");
  }
}
