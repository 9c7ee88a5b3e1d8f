package dev.slipway.applications.store;

import dev.slipway.engine.lifecycle.Event;
import dev.slipway.postgres.runs.UnstartedRuns;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Ends runs that have not begun and are not needed since a newer request. */
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
