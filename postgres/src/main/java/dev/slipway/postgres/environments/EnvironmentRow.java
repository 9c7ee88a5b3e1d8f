package dev.slipway.postgres.environments;

import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code environments}.
 *
 * @param team the one that it belongs to; null when all teams share it
 */
public record EnvironmentRow(
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
        Json.readMap(
            rs.getString("variables"), EncryptionContext.environment(rs.getString("name"))),
        rs.getString("deletion_policy"),
        rs.getBoolean("deleting"),
        rs.getLong("version"),
        Columns.time(rs, "created_at"),
        Columns.time(rs, "updated_at"));
  }

  public static Optional<EnvironmentRow> find(Handle handle, String name) {
    return handle
        .createQuery("SELECT " + COLUMNS + " FROM environments WHERE name = ?")
        .bind(0, name)
        .map((rs, _) -> map(rs))
        .findOne();
  }

  /**
   * Whether nothing is written into it without an approved plan: it is protected, or the policy
   * {@code requireApproval} names it or its type.
   */
  public boolean guarded(AdminConfig config) {
    List<String> required = config.workflowPolicies().requireApproval();
    return protection == Environments.Protection.PROTECTED
        || required.contains(name)
        || required.contains(type);
  }

  /** The same of an environment that may not exist yet. */
  public static boolean guarded(Handle handle, AdminConfig config, String name) {
    return find(handle, name)
        .map(row -> row.guarded(config))
        .orElseGet(() -> config.workflowPolicies().requireApproval().contains(name));
  }

  public Optional<DeletionPolicy> policy() {
    return Optional.ofNullable(deletionPolicy).flatMap(DeletionPolicy::parse);
  }
}
