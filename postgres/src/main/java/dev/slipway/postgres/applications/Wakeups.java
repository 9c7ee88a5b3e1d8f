package dev.slipway.postgres.applications;

import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Notes that an application's next move has to be worked out. */
public final class Wakeups {
  private Wakeups() {}

  /** Not before that time. Part of the caller's transaction. */
  public static void add(Handle handle, Collection<UUID> applications, Instant at)
      throws SQLException {
    if (applications.isEmpty()) {
      return;
    }
    Connection connection = handle.getConnection();
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO wakeups (application_id, at)"
                + " SELECT id, ?::timestamptz FROM unnest(?::uuid[]) AS a (id)")) {
      insert.setString(1, at.toString());
      insert.setArray(2, connection.createArrayOf("uuid", applications.toArray()));
      insert.executeUpdate();
    }
    Notifications.announce(handle, Topic.APPLICATIONS, "");
  }
}
