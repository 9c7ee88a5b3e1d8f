package dev.slipway.engine.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.graph.ExplainWalk.Entry;
import dev.slipway.engine.graph.ExplainWalk.Found;
import dev.slipway.engine.graph.NodeView.Why;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplainWalkTest {
  private final Map<NodeRef, NodeView> nodes = new HashMap<>();
  private final List<Set<NodeRef>> asked = new ArrayList<>();

  private static NodeRef ref(String name) {
    return new NodeRef("n", name, NodeRef.DEFAULT_ENVIRONMENT);
  }

  /** {@code a: b c} says that a waits for b and c; {@code b!} that b has a reason of its own. */
  private void graph(String text) {
    for (String line : text.split(", ?")) {
      String[] parts = line.strip().split(":");
      String name = parts[0].replace("!", "");
      List<NodeRef> blockers =
          parts.length < 2
              ? List.of()
              : Arrays.stream(parts[1].strip().split(" ")).map(ExplainWalkTest::ref).toList();
      Optional<Why> why =
          parts[0].endsWith("!")
              ? Optional.of(new Why("is stuck", Optional.empty(), Optional.empty()))
              : Optional.empty();
      nodes.put(
          ref(name),
          new NodeView(ref(name), Optional.of("red"), "waiting", Optional.empty(), blockers, why));
    }
  }

  private Optional<Found> walk(String from, int most) {
    return ExplainWalk.from(
        ref(from),
        most,
        refs -> {
          asked.add(refs);
          Map<NodeRef, NodeView> found = new HashMap<>(nodes);
          found.keySet().retainAll(refs);
          return found;
        });
  }

  private static String names(List<NodeRef> refs) {
    return String.join(" ", refs.stream().map(NodeRef::name).toList());
  }

  @ParameterizedTest(name = "{0} from {1}: {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a                                | a | ''
          a!                               | a | a
          a: b, b!                         | a | b a
          a: b, b                          | a | b a
          a: b, b: c, c!                   | a | c b a
          a: b, b: c, c!                   | b | c b
          a: b c, b: d, c: d, d!           | a | d b c a
          a: b c, b!, c!                   | a | b c a
          a: b c, b: x, x!, c!             | a | c x b a
          a: a                             | a | a
          a: b, b: a                       | a | b a
          a: b, b: c, c: b                 | a | c b a
          a: b c, b: b, c!                 | a | c b a
          a: gone                          | a | gone a
          """)
  void root_causes_come_first_and_the_node_itself_last(String graph, String from, String order) {
    graph(graph);
    assertThat(names(walk(from, 100).orElseThrow().entries().stream().map(Entry::node).toList()))
        .isEqualTo(order);
  }

  @Test
  void each_level_is_one_question_and_no_node_is_asked_for_twice() {
    graph("a: b c, b: d a, c: d, d: e b, e!");
    walk("a", 100);
    assertThat(asked)
        .containsExactly(
            Set.of(ref("a")), Set.of(ref("b"), ref("c")), Set.of(ref("d")), Set.of(ref("e")));
  }

  @Test
  void a_cycle_is_named_as_a_path_that_ends_where_it_began() {
    graph("a: b, b: c, c: d, d: b");
    assertThat(names(walk("a", 100).orElseThrow().cycle())).isEqualTo("b c d b");
    graph("a: b, b: c, c: d, d!");
    assertThat(walk("a", 100).orElseThrow().cycle()).isEmpty();
  }

  @Test
  void a_blocker_that_no_branch_knows_is_a_root_without_a_view() {
    graph("a: gone");
    Entry gone = walk("a", 100).orElseThrow().entries().getFirst();
    assertThat(gone.view()).isEmpty();
    assertThat(gone.root()).isTrue();
  }

  @Test
  void a_node_that_does_not_exist_is_no_explanation() {
    assertThat(walk("a", 100)).isEmpty();
  }

  @Test
  void a_walk_through_too_many_nodes_says_that_there_are_more() {
    graph("a: " + String.join(" ", IntStream.range(0, 50).mapToObj(i -> "b" + i).toList()));
    IntStream.range(0, 50).forEach(i -> graph("b" + i + "!"));
    Found cut = walk("a", 10).orElseThrow();
    assertThat(cut.whole()).isFalse();
    assertThat(cut.entries()).hasSize(11);
    assertThat(walk("a", 50).orElseThrow().whole()).isTrue();
  }

  @Test
  void a_chain_of_a_hundred_thousand_nodes_is_walked() {
    int size = 100_000;
    for (int i = 0; i < size; i++) {
      List<NodeRef> next = i + 1 < size ? List.of(ref("n" + (i + 1))) : List.of();
      nodes.put(
          ref("n" + i),
          new NodeView(
              ref("n" + i), Optional.empty(), "waiting", Optional.empty(), next, Optional.empty()));
    }
    Found found =
        ExplainWalk.from(
                ref("n0"),
                size,
                refs -> {
                  Map<NodeRef, NodeView> views = new HashMap<>();
                  refs.forEach(r -> views.put(r, nodes.get(r)));
                  return views;
                })
            .orElseThrow();
    assertThat(found.entries()).hasSize(size);
    assertThat(found.entries().getFirst().node()).isEqualTo(ref("n" + (size - 1)));
  }
}
