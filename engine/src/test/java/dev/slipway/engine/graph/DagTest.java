package dev.slipway.engine.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DagTest {
  private static Dag<String> order(Map<String, Set<String>> needs) {
    return Dag.of(new TreeMap<>(needs));
  }

  /** {@code a: b c; b} is a graph of two nodes, of which {@code a} needs {@code b}. */
  private static Map<String, Set<String>> graph(@Nullable String text) {
    Map<String, Set<String>> needs = new TreeMap<>();
    for (String node : text == null ? new String[0] : text.split(";")) {
      String[] parts = node.strip().split("[:\\s]+");
      needs.put(parts[0], new TreeSet<>(List.of(parts).subList(1, parts.length)));
    }
    return needs;
  }

  /** The chain is that of nodes that weigh the same. */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing                                    |                                 |           |           |
          one node                                   | a                               | a         |           | a
          it needs what is no node                   | a: x                            | a         |           | a
          two that need nothing                      | b; a                            | a b       |           | a
          a chain                                    | a: b; b: c; c                   | c, b, a   |           | c b a
          a diamond                                  | a; b: a; c: a; d: b c           | a, b c, d |           | a b d
          the longest way counts, not the shortest   | a; b: a; c: a b                 | a, b, c   |           | a b c
          two parts                                  | a; b: a; x; y: x                | a x, b y  |           | a b
          the longer part                            | a; x; y: x                      | a x, y    |           | x y
          it needs itself                            | s: s                            |           | s s       |
          it needs itself and another                | a; s: a s                       | a         | s s       | a
          a cycle begins with its first node         | m: z; z: k; k: m                |           | k m z k   |
          behind a cycle                             | a: b; b: a; c: b                |           | a b a     |
          before a cycle                             | a; b: a c; c: b                 | a         | b c b     | a
          between two cycles                         | a: b; b: a; m: b; x: m y; y: x  |           | a b a     |
          a cycle in a cycle                         | a: b; b: c; c: a b              |           | a b c a   |
          two cycles, the first is named             | x: y; y: x; a: b; b: a          |           | a b a     |
          """)
  void orders(
      String name,
      @Nullable String graph,
      @Nullable String levels,
      @Nullable String cycle,
      @Nullable String chain) {
    Dag<String> dag = order(graph(graph));
    assertThat(dag.levels().stream().map(level -> String.join(" ", level)))
        .as(name)
        .containsExactlyElementsOf(levels == null ? List.of() : List.of(levels.split(", ")));
    assertThat(dag.cycle()).as(name).isEqualTo(words(cycle));
    assertThat(dag.heaviestChain(_ -> 1)).as(name).isEqualTo(words(chain).orElse(List.of()));
  }

  private static Optional<List<String>> words(@Nullable String text) {
    return Optional.ofNullable(text).map(words -> List.of(words.split(" ")));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          of nothing, nothing                   | a: b; b                |     |         |
          itself                                | a                      | a   | a       | a
          directly and indirectly               | a: b; b: c; c; d: c    | b   | b c     | a b
          what two lead to is there once        | a: c; b: c; c          | a b | a b c   | a b
          what is no node does not count        | a: x                   | x   |         |
          once around a cycle                   | a: b; b: c; c: a       | b   | a b c   | a b c
          into a cycle, and not out of it       | a: b; b: c; c: b; d: c | a   | a b c   | a
          out of a cycle                        | a: b; b: c; c: b d; d  | b   | b c d   | a b c
          """)
  void reaches(
      String name,
      String graph,
      @Nullable String from,
      @Nullable String dependencies,
      @Nullable String dependents) {
    Dag<String> dag = order(graph(graph));
    List<String> nodes = words(from).orElse(List.of());
    assertThat(dag.dependencies(nodes))
        .as(name)
        .containsExactlyInAnyOrderElementsOf(words(dependencies).orElse(List.of()));
    assertThat(dag.dependents(nodes))
        .as(name)
        .containsExactlyInAnyOrderElementsOf(words(dependents).orElse(List.of()));
  }

  @Test
  void a_node_that_weighs_less_than_nothing_makes_no_chain_lighter() {
    Map<String, Long> weight = Map.of("a", 2L, "b", -5L, "c", 1L, "d", 2L);
    assertThat(order(graph("a; b: a; c: b; d")).heaviestChain(weight::get))
        .containsExactly("a", "b", "c");
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
