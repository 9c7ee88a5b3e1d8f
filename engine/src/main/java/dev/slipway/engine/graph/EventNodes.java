package dev.slipway.engine.graph;

import java.util.List;
import java.util.Optional;

/**
 * Says which nodes an event is about. The node follows from the data of the event, so it is not
 * stored beside it. Empty answers: the event is of another branch.
 */
public interface EventNodes {
  /** What the node is a part of, at the top: an object of a branch, or a run that no run made. */
  Optional<NodeRef> root(Event event);

  /** The node that something has happened to. */
  Optional<NodeRef> node(Event event);

  /**
   * The event as the contract of today describes it. Stored events are never rewritten, and
   * releases before wrote some of them with fewer fields.
   */
  default Event completed(Event stored) {
    return stored;
  }

  /** Asks one after the other. */
  static EventNodes firstOf(List<EventNodes> all) {
    return new EventNodes() {
      @Override
      public Optional<NodeRef> root(Event event) {
        return all.stream().flatMap(nodes -> nodes.root(event).stream()).findFirst();
      }

      @Override
      public Optional<NodeRef> node(Event event) {
        return all.stream().flatMap(nodes -> nodes.node(event).stream()).findFirst();
      }

      @Override
      public Event completed(Event stored) {
        Event event = stored;
        for (EventNodes nodes : all) {
          event = nodes.completed(event);
        }
        return event;
      }
    };
  }
}
