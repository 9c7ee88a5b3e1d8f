package dev.slipway.postgres.applications;

import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.value.EncryptionContext;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code environments}.
 *
 * @param team the one that it belongs to; null when all teams share it
 */
record EnvironmentRow(
    String name,
    @Nullable String team,
    String type,
    @Nullable Duration ttl,
    @Nullable Instant expiresAt,
    boolean expiryAnnounced,
    @Nullable String cluster,
    @Nullable String namespaceTemplate,
    Environments.Protection protection,
    Map<String, @Nullable Object> variables,
    @Nullable String deletionPolicy,
    boolean deleting,
    long version,
    Instant createdAt,
    Instant updatedAt) {

  static final String COLUMNS =
      "name, team, type, (extract(epoch FROM ttl) * 1000)::int8 AS ttl_ms, expires_at,"
          + " expiry_announced, cluster, namespace_template, protected, variables,"
          + " deletion_policy, deleting, version, created_at, updated_at";

  static EnvironmentRow map(ResultSet rs) throws SQLException {
    long ttl = rs.getLong("ttl_ms");
    Duration duration = rs.wasNull() ? null : Duration.ofMillis(ttl);
    return new EnvironmentRow(
        rs.getString("name"),
        rs.getString("team"),
        rs.getString("type"),
        duration,
        Columns.timeOrNull(rs, "expires_at"),
        rs.getBoolean("expiry_announced"),
        rs.getString("cluster"),
        rs.getString("namespace_template"),
        rs.getBoolean("protected")
            ? Environments.Protection.PROTECTED
            : Environments.Protection.OPEN,
        Columns.tree(rs, "variables", EncryptionContext.environment(rs.getString("name"))),
        rs.getString("deletion_policy"),
        rs.getBoolean("deleting"),
        rs.getLong("version"),
        Columns.time(rs, "created_at"),
        Columns.time(rs, "updated_at"));
  }

  static Optional<EnvironmentRow> find(Handle handle, String name) {
    return handle
        .createQuery("SELECT " + COLUMNS + " FROM environments WHERE name = ?")
        .bind(0, name)
        .map((rs, context) -> map(rs))
        .findOne();
  }

  Optional<DeletionPolicy> policy() {
    return Optional.ofNullable(deletionPolicy).flatMap(DeletionPolicy::parse);
  }
}
