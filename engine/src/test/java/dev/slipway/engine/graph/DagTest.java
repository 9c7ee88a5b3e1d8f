package dev.slipway.engine.graph;

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

class DagTest {
  private static Dag<String> order(Map<String, Set<String>> needs) {
    return Dag.of(new TreeMap<>(needs));
  }

  @Test
  void levels_are_sorted_and_hold_what_depends_on_earlier_ones_only() {
    Dag<String> order =
        order(Map.of("c", Set.of("a", "b"), "b", Set.of(), "a", Set.of(), "d", Set.of("c", "x")));
    assertThat(order.levels()).containsExactly(List.of("a", "b"), List.of("c"), List.of("d"));
  }

  @Test
  void a_cycle_is_named_by_its_path() {
    Dag<String> order =
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
  void cycles_that_share_no_node_are_found_each_and_begin_with_the_first_node() {
    Dag<String> order =
        order(
            Map.of(
                "z",
                Set.of("y"),
                "y",
                Set.of("z"),
                "b",
                Set.of("c"),
                "c",
                Set.of("b"),
                "a",
                Set.of("b"),
                "s",
                Set.of("s")));
    assertThat(order.cycles(20))
        .containsExactly(List.of("b", "c", "b"), List.of("s", "s"), List.of("y", "z", "y"));
    assertThat(order.cycles(1)).hasSize(1);
  }

  @Test
  void everything_that_a_node_leads_to_is_reached_once_even_through_a_cycle() {
    Dag<String> order =
        order(Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of("b"), "d", Set.of()));
    assertThat(order.dependencies(List.of("a"))).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(order.dependents(List.of("c"))).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(order.dependencies(List.of("nowhere"))).isEmpty();
  }

  @Test
  void a_chain_of_a_hundred_thousand_nodes_is_no_danger_to_the_stack() {
    Map<String, Set<String>> needs = new HashMap<>();
    for (int i = 0; i < 100_000; i++) {
      needs.put("n" + i, Set.of("n" + (i + 1) % 100_000));
    }
    assertThat(order(needs).cycle().orElseThrow()).hasSize(100_001);
    needs.put("n99999", Set.of());
    assertThat(order(needs).levels()).hasSize(100_000);
    assertThat(order(needs).heaviestChain(n -> 1)).hasSize(100_000);
  }

  @Test
  void the_heaviest_chain_is_the_critical_path() {
    Map<String, Set<String>> needs =
        Map.of("a", Set.of(), "b", Set.of("a"), "c", Set.of("a"), "d", Set.of("b", "c"));
    Map<String, Long> weight = Map.of("a", 1L, "b", 5L, "c", 9L, "d", 1L);
    assertThat(order(needs).heaviestChain(weight::get)).containsExactly("a", "c", "d");
  }
}
