package dev.slipway.server.api;

import static dev.slipway.web.Route.get;

import dev.slipway.engine.graph.EventNodes;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import dev.slipway.web.Answer;
import dev.slipway.web.Call;
import dev.slipway.web.Problem;
import dev.slipway.web.Route;
import dev.slipway.web.StreamSlots;
import dev.slipway.web.access.Action;
import dev.slipway.web.access.Identity;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What happens, as it happens: server-sent events with replay. */
public final class EventApi implements AutoCloseable {
  /** Open at the same time, of all callers and of one. */
  static final int MOST_READERS = 1_000;

  static final int MOST_READERS_OF_CALLER = 250;

  private final EventStream.Source source;
  private final EventStream.Streams streams = new EventStream.Streams();
  private final StreamSlots slots =
      new StreamSlots("streams of events", MOST_READERS, MOST_READERS_OF_CALLER);
  private final Runnable unsubscribe;

  /** Subscribes once for all streams. */
  public EventApi(EventLog log, EventNodes nodes, Notifications notifications) {
    this.source = new EventStream.Source(log, new EventView(nodes));
    this.unsubscribe = notifications.subscribe(Topic.EVENTS, payload -> streams.wake());
  }

  public List<Route> routes() {
    return List.of(
        route("/api/events", "streamEvents"), route("/api/events/stream", "streamEventsAlias"));
  }

  private Route route(String path, String operation) {
    return get(path)
        .needs(Action.READ)
        .named(operation, "Events of the caller's teams, as server-sent events")
        .query("application", new Route.OldSpelling("app"), "only those of this application")
        .query("environment", "only those of this environment")
        .query("types", "only these types, separated by commas")
        .query("after", Route.Parameter.Kind.NUMBER, "replay from behind this id; 0 is all")
        .givesEvents(200, "a stream that does not end", "Event")
        .is(Route.Trait.STREAM)
        .by(this::stream);
  }

  private Answer stream(Call call) {
    Optional<Long> after =
        call.header("Last-Event-ID").map(EventApi::id).or(() -> call.number("after"));
    Set<String> types =
        call.query("types").map(text -> Set.of(text.split("\\s*,\\s*"))).orElse(null);
    EventStream.Question question =
        new EventStream.Question(
            call.query("application").orElse(null),
            call.query("environment").orElse(null),
            types,
            after);
    slots.take(call);
    EventStream stream = new EventStream(source, streams, question, () -> teams(call));
    return Answer.stream(Route.Reply.EVENTS, stream::write);
  }

  /** How many streams are open. */
  public int open() {
    return slots.open();
  }

  /** The teams whose events the caller may see now; empty when the caller may see none any more. */
  private static Optional<EventStream.Visible> teams(Call call) {
    return call.again()
        .map(
            identity ->
                switch (identity.reach(Action.READ)) {
                  case Identity.Reach.EveryTeam every -> new EventStream.Visible(null);
                  case Identity.Reach.Some some -> new EventStream.Visible(some.teams());
                })
        .filter(visible -> visible.teams() == null || !visible.teams().isEmpty());
  }

  private static @Nullable Long id(String header) {
    try {
      return Long.valueOf(header.strip());
    } catch (NumberFormatException e) {
      throw Problem.badRequest("Last-Event-ID is a number, not '" + header + "'.").exception();
    }
  }

  /** Ends all streams. */
  @Override
  public void close() {
    unsubscribe.run();
    streams.close();
  }
}
