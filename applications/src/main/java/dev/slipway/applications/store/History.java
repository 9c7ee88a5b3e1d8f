package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.engine.lifecycle.Actor;
import dev.slipway.postgres.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Records changes of state. */
final class History {
  private History() {}

  record Entry(
      UUID resource,
      int incarnation,
      @Nullable ResourceState from,
      ResourceState to,
      Actor actor,
      String why,
      Instant at) {}

  static void write(Connection connection, List<Entry> entries) throws SQLException {
    if (entries.isEmpty()) {
      return;
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO resource_transitions (resource_id, incarnation, from_state, to_state,
                                              actor, reason, at)
            SELECT * FROM unnest(?::uuid[], ?::int4[], ?::text[], ?::text[], ?::text[], ?::text[],
                                 ?::timestamptz[])
            """)) {
      Rows.bind(connection, insert, entries)
          .column("uuid", Entry::resource)
          .column("int4", Entry::incarnation)
          .text(e -> e.from() == null ? null : e.from().text())
          .text(e -> e.to().text())
          .text(e -> e.actor().name().toLowerCase(Locale.ROOT))
          .text(Entry::why)
          .time(Entry::at);
      insert.executeUpdate();
    }
  }
}
