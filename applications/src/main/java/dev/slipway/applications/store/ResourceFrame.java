package dev.slipway.applications.store;

import dev.slipway.postgres.Columns;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/** What a resource is shown in: its owner and environment, and its times. */
record ResourceFrame(String owner, String environment, Instant createdAt, Instant updatedAt) {

  static Map<UUID, ResourceFrame> of(Connection connection, UUID[] ids) throws SQLException {
    Map<UUID, ResourceFrame> frames = new HashMap<>();
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT r.id, a.name, r.environment, r.created_at, r.updated_at FROM resources r"
                + " JOIN applications a ON a.id = r.owner_id WHERE r.id = ANY (?)")) {
      select.setArray(1, connection.createArrayOf("uuid", ids));
      try (ResultSet rs = select.executeQuery()) {
        while (rs.next()) {
          frames.put(
              rs.getObject(1, UUID.class),
              new ResourceFrame(
                  rs.getString(2),
                  rs.getString(3),
                  Columns.time(rs, "created_at"),
                  Columns.time(rs, "updated_at")));
        }
      }
    }
    return frames;
  }
}
