package dev.slipway.applications.store;

import dev.slipway.engine.graph.Event;
import dev.slipway.postgres.runs.UnstartedRuns;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Ends unclaimed runs that no resource needs any more, with the events of any other end. */
final class DroppedRuns {
  private static final Map<String, Object> ERROR =
      Map.of("code", "superseded", "message", "a newer request came first");

  private DroppedRuns() {}

  static List<Event> drop(Connection connection, ApplicationContext context, List<UUID> runs)
      throws SQLException {
    return UnstartedRuns.drop(
        connection,
        runs,
        new UnstartedRuns.Reason(ApplicationContext.SOURCE, ERROR, context.now()));
  }
}
