package dev.slipway.server.api;

import static dev.slipway.server.http.Route.get;

import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.server.access.Action;
import dev.slipway.server.access.Identity;
import dev.slipway.server.http.Answer;
import dev.slipway.server.http.Call;
import dev.slipway.server.http.Problem;
import dev.slipway.server.http.Route;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** What happens, as it happens: server-sent events with replay. */
public final class EventApi implements AutoCloseable {
  private static final int MOST_READERS = 1_000;

  private final EventLog log;
  private final Notifications notifications;
  private final Semaphore readers = new Semaphore(MOST_READERS);
  private final EventStream.Streams streams = new EventStream.Streams();

  public EventApi(EventLog log, Notifications notifications) {
    this.log = log;
    this.notifications = notifications;
  }

  public List<Route> routes() {
    return List.of(
        route("/api/events", "streamEvents"), route("/api/events/stream", "streamEventsAlias"));
  }

  private Route route(String path, String operation) {
    return get(path)
        .needs(Action.READ)
        .named(operation, "Events of the caller's teams, as server-sent events")
        .query("app", "only those of this application")
        .query("environment", "only those of this environment")
        .query("types", "only these types, separated by commas")
        .query("after", Route.Parameter.Kind.NUMBER, "replay from behind this id; 0 is all")
        .givesText(200, "a stream that does not end", "text/event-stream")
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
            call.query("app").orElse(null), call.query("environment").orElse(null), types, after);
    if (!readers.tryAcquire()) {
      throw Problem.slowDown("Too many readers of events. Try again in a while.", 30).exception();
    }
    try {
      EventStream stream =
          new EventStream(log, notifications, streams, question, () -> teams(call));
      return Answer.stream("text/event-stream", out -> forward(stream, out));
    } catch (RuntimeException e) {
      readers.release();
      throw e;
    }
  }

  private void forward(EventStream stream, OutputStream out)
      throws IOException, InterruptedException {
    try {
      stream.write(out);
    } finally {
      readers.release();
    }
  }

  /** The teams whose events the caller may see now; empty when the caller may see none any more. */
  private static Optional<EventStream.Visible> teams(Call call) {
    return call.again()
        .map(
            identity ->
                switch (identity.reach(Action.READ)) {
                  case Identity.Reach.EveryTeam every -> new EventStream.Visible(null);
                  case Identity.Reach.Some some -> new EventStream.Visible(some.teams());
                });
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
    streams.close();
  }
}
