package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.value.Json;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Ends runs that no replica has begun, in the transaction of the branch that needs them no more.
 */
public final class UnstartedRuns {
  private static final String DROP =
      """
      UPDATE runs SET state = 'cancelled', claimable_at = NULL, finished_at = ?::timestamptz,
                      error = ?::jsonb || '{"transient": false}'
       WHERE id = ANY (?)
      RETURNING *
      """;

  private UnstartedRuns() {}

  /**
   * Why runs are dropped, and when.
   *
   * @param source of the events
   * @param error with {@code code} and {@code message}
   */
  public record Reason(String source, Map<String, Object> error, Instant at) {}

  /** The transaction has locked their rows and found them unstarted. Returns an event for each. */
  public static List<Event> drop(Connection connection, Collection<UUID> runs, Reason why)
      throws SQLException {
    if (runs.isEmpty()) {
      return List.of();
    }
    List<Event> ends = new ArrayList<>();
    try (PreparedStatement drop = connection.prepareStatement(DROP)) {
      drop.setString(1, why.at().toString());
      drop.setString(2, Json.write(why.error()));
      drop.setArray(3, connection.createArrayOf("uuid", runs.toArray()));
      try (ResultSet rows = drop.executeQuery()) {
        while (rows.next()) {
          ends.add(end(rows, why));
        }
      }
    }
    return ends;
  }

  private static Event end(ResultSet row, Reason why) throws SQLException {
    NewRun.Subject subject = SubjectColumns.read(row);
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("runId", row.getString("id"));
    data.put("provider", row.getString("provider"));
    data.put("workflow", row.getString("workflow"));
    data.put("operation", row.getString("operation"));
    data.put("resourceId", row.getString("resource_id"));
    data.put("resource", row.getString("resource"));
    data.put("status", RunState.CANCELLED.text());
    data.put("error", why.error());
    return new Event(
        "workflow.cancelled",
        subject.rootRef(),
        row.getString("environment"),
        row.getString("team"),
        why.source(),
        why.at(),
        data);
  }
}
