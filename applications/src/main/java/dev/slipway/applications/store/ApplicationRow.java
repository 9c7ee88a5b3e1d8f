package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.postgres.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** A row of {@code applications}. */
record ApplicationRow(
    UUID id,
    String environment,
    String name,
    String team,
    int revision,
    ResourceState state,
    @Nullable String workloadHash,
    long version,
    String createdBy,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant deletedAt,
    @Nullable Counts counts,
    @Nullable Long decidedVersion) {

  /** Whether a turn may look at what has changed and its neighbours only. */
  boolean decided() {
    return decidedVersion != null && decidedVersion == version && counts != null;
  }

  /** How many resources it uses, and how many of them are active. */
  record Counts(int resources, int active) {}

  private static final String COLUMNS =
      "id, environment, name, team, revision, state, workload_hash, version, created_by,"
          + " created_at, updated_at, deleted_at, resource_count, active_count, decided_version";

  static ApplicationRow map(ResultSet rs) throws SQLException {
    return new ApplicationRow(
        rs.getObject("id", UUID.class),
        rs.getString("environment"),
        rs.getString("name"),
        rs.getString("team"),
        rs.getInt("revision"),
        State.parse(ResourceState.class, rs.getString("state")),
        rs.getString("workload_hash"),
        rs.getLong("version"),
        rs.getString("created_by"),
        Columns.time(rs, "created_at"),
        Columns.time(rs, "updated_at"),
        Columns.timeOrNull(rs, "deleted_at"),
        counts(rs),
        rs.getObject("decided_version", Long.class));
  }

  /** Null when no turn has counted them yet. */
  private static @Nullable Counts counts(ResultSet rs) throws SQLException {
    int resources = rs.getInt("resource_count");
    return rs.wasNull() ? null : new Counts(resources, rs.getInt("active_count"));
  }

  /** The living one of that name. */
  static Optional<ApplicationRow> find(Handle handle, String environment, String name) {
    return handle
        .createQuery(
            "SELECT "
                + COLUMNS
                + " FROM applications WHERE environment = ? AND name = ? AND deleted_at IS NULL")
        .bind(0, environment)
        .bind(1, name)
        .map((rs, _) -> map(rs))
        .findOne();
  }

  /** The same, with the key's lock: no turn decides about it until the transaction ends. */
  static Optional<ApplicationRow> hold(Handle handle, String environment, String name) {
    find(handle, environment, name).ifPresent(row -> ApplicationKey.lock(handle, row.id()));
    return handle
        .createQuery(
            "SELECT "
                + COLUMNS
                + " FROM applications WHERE environment = ? AND name = ? AND deleted_at IS NULL"
                + " FOR NO KEY UPDATE")
        .bind(0, environment)
        .bind(1, name)
        .map((rs, _) -> map(rs))
        .findOne();
  }

  /** The same; if there is none, no other transaction can create one until this one ends. */
  static Optional<ApplicationRow> reserve(Handle handle, String environment, String name) {
    Optional<ApplicationRow> living = hold(handle, environment, name);
    if (living.isPresent()) {
      return living;
    }
    handle.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended(?, 0))",
        "application " + environment + " " + name);
    return hold(handle, environment, name);
  }

  /** The last deleted application of that name and team, whose history is continued. */
  static Optional<ApplicationRow> holdDeleted(
      Handle handle, String environment, String name, String team) {
    return handle
        .createQuery(
            "SELECT id FROM applications WHERE environment = ? AND name = ? AND team = ?"
                + " AND deleted_at IS NOT NULL ORDER BY deleted_at DESC LIMIT 1")
        .bind(0, environment)
        .bind(1, name)
        .bind(2, team)
        .mapTo(UUID.class)
        .findOne()
        .flatMap(id -> hold(handle, id))
        .filter(row -> row.deletedAt() != null);
  }

  /** By id, as they are. */
  static Map<UUID, ApplicationRow> seen(Handle handle, Collection<UUID> ids) {
    return handle
        .createQuery("SELECT " + COLUMNS + " FROM applications WHERE id = ANY (:ids)")
        .bind("ids", ids.stream().distinct().toArray(UUID[]::new))
        .map((rs, _) -> map(rs))
        .collectToMap(ApplicationRow::id, row -> row);
  }

  /** By id, with the key's lock and its row. */
  static Optional<ApplicationRow> hold(Handle handle, UUID id) {
    ApplicationKey.lock(handle, id);
    return lock(handle, id);
  }

  /**
   * The row alone, by a transaction that has the key's lock; replicas of schema 9 have no other.
   */
  static Optional<ApplicationRow> lock(Handle handle, UUID id) {
    return handle
        .createQuery("SELECT " + COLUMNS + " FROM applications WHERE id = ? FOR NO KEY UPDATE")
        .bind(0, id)
        .map((rs, _) -> map(rs))
        .findOne();
  }
}
