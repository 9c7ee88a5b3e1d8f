package dev.slipway.applications.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.graph.Graph;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.Relation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class PlanGraphTest {
  private final List<Object> items = new ArrayList<>();

  private void item(String name, String change, Map<String, Object> dependencies) {
    Map<String, Object> item = new LinkedHashMap<>(dependencies);
    item.put("name", name);
    item.put("identity", "box.default#shop." + name);
    item.put("change", change);
    items.add(item);
  }

  private Graph graph() {
    return PlanGraph.of(Map.of("application", "shop", "environment", "default", "items", items));
  }

  private List<String> dependencies() {
    return graph().edges().stream()
        .filter(edge -> edge.relation() == Relation.DEPENDS_ON)
        .map(edge -> called(edge.from()) + " " + called(edge.to()))
        .toList();
  }

  private static String called(NodeRef ref) {
    return ref.name().replaceAll(".*[.]", "");
  }

  @Test
  void what_is_no_item_of_the_plan_is_not_drawn() {
    item(
        "web",
        "create",
        Map.of(
            "dependsOnNodes",
            List.of("resource:box.default#shop.db", "resource:box.default#shop.gone", "no node")));
    item("db", "no-op", Map.of());
    assertThat(dependencies()).containsExactly("web db");
    assertThat(graph().nodes()).hasSize(4);
  }

  @Test
  void in_a_plan_without_nodes_what_goes_depends_on_what_goes() {
    item("web", "delete", Map.of("dependsOn", List.of("db", "unknown")));
    item("api", "create", Map.of("dependsOn", List.of("db")));
    item("db", "delete", Map.of());
    items.add(Map.of("name", "db", "identity", "cask.default#shop.new", "change", "create"));
    assertThat(dependencies()).containsExactlyInAnyOrder("web db", "api new");
  }

  @Test
  void a_hundred_thousand_resources_take_a_time_that_grows_with_them() {
    IntStream.range(0, 100_000)
        .forEach(
            i ->
                item(
                    "r" + i,
                    "create",
                    i % 2 == 0
                        ? Map.of("dependsOnNodes", List.of("resource:box.default#shop.r" + (i + 1)))
                        : Map.of("dependsOn", List.of("r" + i / 2))));
    Assertions.assertTimeoutPreemptively(
        Duration.ofMinutes(1), () -> assertThat(dependencies()).hasSize(100_000));
  }
}
