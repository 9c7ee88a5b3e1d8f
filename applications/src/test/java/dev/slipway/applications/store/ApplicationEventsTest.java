package dev.slipway.applications.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.graph.NodeRef;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ApplicationEventsTest {
  private static final UUID DB = new UUID(7, 1);

  private final ApplicationEvents events =
      new ApplicationEvents(
          id -> Optional.of("postgres.default#shop.db").filter(_ -> id.equals(DB)));

  private static Event event(String type, String environment, Map<String, Object> data) {
    return new Event(
        type,
        new ApplicationRefs("shop", environment).application(),
        environment,
        "red",
        "applications",
        Instant.EPOCH,
        data);
  }

  private String node(Event event) {
    assertThat(events.root(event))
        .map(NodeRef::text)
        .contains("application:shop" + (event.environment().equals("default") ? "" : "@prod"));
    return events.node(event).map(NodeRef::text).orElse("none");
  }

  @Test
  void an_event_of_a_spec_a_deployment_or_a_resource_is_about_its_node() {
    assertThat(node(event("spec.updated", "prod", Map.of()))).isEqualTo("spec:shop@prod");
    assertThat(node(event("deployment.failed", "default", Map.of()))).isEqualTo("application:shop");
    assertThat(
            node(
                event(
                    "resource.active",
                    "default",
                    Map.of("resource", "db", "identity", "postgres.default#shop.db"))))
        .isEqualTo("resource:postgres.default#shop.db");
    assertThat(
            node(
                event(
                    "resource.health",
                    "prod",
                    Map.of("resource", "db", "identity", "postgres.default#all"))))
        .isEqualTo("resource:postgres.default#all@prod");
  }

  @Test
  void the_approval_of_a_plan_is_about_the_application_and_that_of_a_step_about_its_run() {
    assertThat(node(event("approval.granted", "prod", Map.of("deploymentId", "d1"))))
        .isEqualTo("application:shop@prod");
    assertThat(node(event("approval.granted", "prod", Map.of("runId", "r1")))).isEqualTo("none");
  }

  @Test
  void an_old_event_without_an_identity_gets_that_of_the_resource_with_its_id() {
    Event old = resolved(DB);
    assertThat(events.completed(old).data())
        .containsAllEntriesOf(old.data())
        .containsEntry("identity", "postgres.default#shop.db");
    assertThat(node(events.completed(old))).isEqualTo("resource:postgres.default#shop.db");
    Event active = event("resource.active", "default", old.data());
    assertThat(events.completed(active)).isSameAs(active);
  }

  @Test
  void an_old_event_about_a_resource_that_is_no_longer_recorded_stands_for_its_application() {
    Event old = resolved(new UUID(7, 2));
    assertThat(events.completed(old)).isEqualTo(old);
    assertThat(node(events.completed(old))).isEqualTo("application:shop");
  }

  private static Event resolved(UUID resource) {
    return event(
        "provider.resolved",
        "default",
        Map.of("resourceId", resource.toString(), "resource", "db", "type", "postgres"));
  }

  @Test
  void events_without_an_application_are_not_its_own() {
    Event other =
        new Event("workflow.started", null, "prod", null, "engine", Instant.EPOCH, Map.of());
    assertThat(events.root(other)).isEmpty();
    assertThat(events.node(other)).isEmpty();
  }
}
