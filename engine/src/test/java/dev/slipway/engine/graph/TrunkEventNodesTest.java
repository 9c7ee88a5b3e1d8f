package dev.slipway.engine.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TrunkEventNodesTest {
  private static Event event(String type, Map<String, Object> data) {
    return new Event(type, null, "prod", "red", "engine", Instant.EPOCH, data);
  }

  private final EventNodes nodes = new TrunkEventNodes();

  @ParameterizedTest
  @CsvSource({
    "workflow.started, runId, r1, workflow:r1",
    "step.failed, runId, r1, workflow:r1",
    "approval.requested, runId, r1, workflow:r1",
    "provider.loaded, provider, redis, provider:redis",
    "provider.conflict, type, redis, type:redis",
    "environment.expiring, environment, prod, environment:prod"
  })
  void an_event_is_about_the_node_whose_id_it_carries(
      String type, String field, String value, String node) {
    Event event = event(type, Map.of(field, value));
    assertThat(nodes.node(event)).map(NodeRef::text).contains(node);
    assertThat(nodes.root(event)).map(NodeRef::text).contains(node);
  }

  @Test
  void at_the_top_of_a_run_that_another_one_made_is_that_one() {
    Event child =
        event("step.started", Map.of("runId", "r2", "kind", "child", "parentRunId", "r1"));
    assertThat(nodes.node(child)).map(NodeRef::text).contains("workflow:r2");
    assertThat(nodes.root(child)).map(NodeRef::text).contains("workflow:r1");
  }

  @Test
  void further_down_the_event_names_the_run_at_the_top() {
    Event grandchild =
        event(
            "step.started",
            Map.of("runId", "r3", "kind", "child", "parentRunId", "r2", "rootRunId", "r1"));
    assertThat(nodes.root(grandchild)).map(NodeRef::text).contains("workflow:r1");
  }

  @Test
  void a_run_that_retries_another_one_is_at_the_top_itself() {
    Event again = event("workflow.created", Map.of("runId", "r2", "parentRunId", "r1"));
    assertThat(nodes.root(again)).map(NodeRef::text).contains("workflow:r2");
  }

  @Test
  void an_event_that_carries_its_root_has_that_one() {
    NodeRef stack = new NodeRef("stack", "shop", "prod");
    Event step =
        new Event(
            "step.started", stack, "prod", "red", "engine", Instant.EPOCH, Map.of("runId", "r1"));
    assertThat(nodes.root(step)).contains(stack);
    assertThat(nodes.node(step)).map(NodeRef::text).contains("workflow:r1");
    Event approval =
        new Event("approval.granted", stack, "prod", "red", "approvals", Instant.EPOCH, Map.of());
    assertThat(nodes.node(approval)).contains(stack);
  }

  @Test
  void events_of_branches_are_left_to_them() {
    Event other = event("stack.synced", Map.of("runId", "r1"));
    EventNodes branch =
        new EventNodes() {
          @Override
          public Optional<NodeRef> root(Event event) {
            return Optional.of(new NodeRef("stack", "shop", "prod"));
          }

          @Override
          public Optional<NodeRef> node(Event event) {
            return Optional.empty();
          }
        };
    assertThat(nodes.node(other)).isEmpty();
    assertThat(EventNodes.firstOf(List.of(branch, nodes)).root(other))
        .map(NodeRef::text)
        .contains("stack:shop@prod");
  }
}
