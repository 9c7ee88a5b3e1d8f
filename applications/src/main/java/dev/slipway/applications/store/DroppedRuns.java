package dev.slipway.applications.store;

import dev.slipway.engine.graph.Event;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.value.Json;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Ends unclaimed runs that no resource needs any more, with the events of any other end. */
final class DroppedRuns {
  private static final Map<String, Object> ERROR =
      Map.of("code", "superseded", "message", "a newer request came first");

  private static final String DROP =
      """
      UPDATE runs SET state = 'cancelled', claimable_at = NULL, finished_at = ?::timestamptz,
                      error = ?::jsonb || '{"transient": false}'
       WHERE id = ANY (?)
      RETURNING id, provider, workflow, operation, resource_id, resource, application,
                environment, team
      """;

  private DroppedRuns() {}

  static List<Event> drop(Connection connection, ApplicationContext context, List<UUID> runs)
      throws SQLException {
    if (runs.isEmpty()) {
      return List.of();
    }
    List<Event> ends = new ArrayList<>();
    try (PreparedStatement drop = connection.prepareStatement(DROP)) {
      drop.setString(1, context.now().toString());
      drop.setString(2, Json.write(ERROR));
      drop.setArray(3, connection.createArrayOf("uuid", runs.toArray()));
      try (ResultSet rows = drop.executeQuery()) {
        while (rows.next()) {
          ends.add(end(context, rows));
        }
      }
    }
    return ends;
  }

  private static Event end(ApplicationContext context, ResultSet row) throws SQLException {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("runId", row.getString("id"));
    data.put("provider", row.getString("provider"));
    data.put("workflow", row.getString("workflow"));
    data.put("operation", row.getString("operation"));
    data.put("resourceId", row.getString("resource_id"));
    data.put("resource", row.getString("resource"));
    data.put("status", RunState.CANCELLED.text());
    data.put("error", ERROR);
    return context.event(
        "workflow.cancelled",
        row.getString("application"),
        row.getString("environment"),
        row.getString("team"),
        data);
  }
}
