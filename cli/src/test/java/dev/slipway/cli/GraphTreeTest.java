package dev.slipway.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class GraphTreeTest {
  private final List<Object> nodes = new ArrayList<>();
  private final List<Object> edges = new ArrayList<>();

  private void node(String id, String state) {
    nodes.add(Map.of("id", id, "state", state));
  }

  private void edge(String from, String type, String to) {
    edges.add(Map.of("from", from, "type", type, "to", to));
  }

  private List<String> lines() {
    return GraphTree.lines(Screen.of(Map.of(), true), Map.of("nodes", nodes, "edges", edges));
  }

  @Test
  void below_a_node_is_what_it_contains_and_behind_it_what_it_depends_on() {
    node("application:shop", "active");
    node("spec:shop", "active");
    node("resource:a", "active");
    node("resource:b", "active");
    node("provider:p", "active");
    edge("application:shop", "contains", "spec:shop");
    edge("spec:shop", "contains", "resource:a");
    edge("spec:shop", "contains", "resource:b");
    edge("resource:b", "depends-on", "resource:a");
    edge("resource:a", "requires", "provider:p");
    edge("resource:b", "requires", "provider:p");

    assertThat(lines())
        .containsExactly(
            "application:shop active",
            "└─ spec:shop active",
            "   ├─ resource:a active",
            "   │  └─ provider:p active",
            "   └─ resource:b active after resource:a",
            "      └─ provider:p active …");
  }

  @Test
  void sixty_thousand_resources_take_a_time_that_grows_with_them() {
    node("spec:shop", "active");
    for (int i = 0; i < 60_000; i++) {
      node("resource:r" + i, "active");
      node("workflow:w" + i, "succeeded");
      edge("spec:shop", "contains", "resource:r" + i);
      edge("resource:r" + i, "depends-on", "resource:r" + i / 2);
      edge("resource:r" + i, "contains", "workflow:w" + i);
    }
    Assertions.assertTimeoutPreemptively(
        Duration.ofMinutes(1), () -> assertThat(lines()).hasSize(120_001));
  }
}
