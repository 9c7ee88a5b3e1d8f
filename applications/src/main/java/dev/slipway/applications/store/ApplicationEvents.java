package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.graph.EventNodes;
import dev.slipway.engine.graph.NodeRef;
import java.net.URL;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * The events about applications, and the nodes that each refers to.
 *
 * @param identities finds the identity of a resource that is still recorded by its id
 */
public record ApplicationEvents(Function<UUID, Optional<String>> identities) implements EventNodes {
  /** The fragment of the contract that describes each type. */
  public static URL contract() {
    return Objects.requireNonNull(ApplicationEvents.class.getResource("events.yaml"));
  }

  @Override
  public Optional<NodeRef> root(Event event) {
    return application(event);
  }

  @Override
  public Optional<NodeRef> node(Event event) {
    return refs(event).flatMap(refs -> node(event, refs));
  }

  /** Up to schema 12 {@code provider.resolved} was written without the identity. */
  @Override
  public Event completed(Event stored) {
    if (!stored.type().equals("provider.resolved")
        || stored.data().containsKey("identity")
        || !(stored.data().get("resourceId") instanceof String id)) {
      return stored;
    }
    Map<String, Object> data = new LinkedHashMap<>(stored.data());
    identities.apply(UUID.fromString(id)).ifPresent(found -> data.put("identity", found));
    return new Event(
        stored.type(),
        stored.root(),
        stored.environment(),
        stored.team(),
        stored.source(),
        stored.at(),
        data);
  }

  private static Optional<NodeRef> node(Event event, ApplicationRefs refs) {
    String type = event.type();
    if (type.startsWith("spec.")) {
      return Optional.of(refs.spec());
    }
    boolean ofResource = type.startsWith("resource.") || type.equals("provider.resolved");
    if (ofResource && event.data().get("identity") instanceof String identity) {
      return Optional.of(refs.resource(identity));
    }
    boolean ofWhole = type.startsWith("deployment.") || !event.data().containsKey("runId");
    return ofResource || ofWhole ? Optional.of(refs.application()) : Optional.empty();
  }

  private static Optional<ApplicationRefs> refs(Event event) {
    return application(event).map(root -> new ApplicationRefs(root.name(), root.environment()));
  }

  private static Optional<NodeRef> application(Event event) {
    return Optional.ofNullable(event.root()).filter(root -> root.is(ApplicationRefs.APPLICATION));
  }
}
