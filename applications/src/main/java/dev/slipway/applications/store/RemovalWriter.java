package dev.slipway.applications.store;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.Planned.Removal;
import dev.slipway.postgres.health.GateWaits;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * What an application leaves behind: resources that pass to their next user, stay alone, or are to
 * be deprovisioned. Its own uses are gone already.
 */
final class RemovalWriter {
  private final ApplicationContext context;
  private final Handle handle;
  private final Connection connection;
  private final ApplicationRow application;

  RemovalWriter(ApplicationContext context, Handle handle, ApplicationRow application) {
    this.context = context;
    this.handle = handle;
    this.connection = handle.getConnection();
    this.application = application;
  }

  void write(List<Removal> removals) throws SQLException {
    List<UUID> released = new ArrayList<>();
    List<UUID> retained = new ArrayList<>();
    List<UUID> orphaned = new ArrayList<>();
    List<UUID> deleted = new ArrayList<>();
    Set<UUID> heirs = new HashSet<>();
    for (Removal removal : removals) {
      KnownResource known = removal.known();
      switch (removal.kind()) {
        case RELEASE -> {
          released.add(known.id());
          heirs.addAll(known.users());
        }
        case RETAIN -> retained.add(known.id());
        case ORPHAN -> orphaned.add(known.id());
        case DELETE -> deleted.add(known.id());
      }
    }
    heirs.remove(application.id());
    close(removals);
    release(released);
    on("UPDATE resources SET detached = true, version = version + 1 WHERE id = ANY (?)", retained);
    on("UPDATE resources SET deletion_policy = 'orphan' WHERE id = ANY (?)", orphaned);
    orphaned.addAll(deleted);
    // A repeated request for a deletion is a request for another attempt.
    on(
        """
        UPDATE resources
           SET wanted = false, replacing = false, version = version + 1,
               attempted_hash = CASE WHEN delete_failed THEN NULL ELSE attempted_hash END,
               reason = CASE WHEN delete_failed THEN NULL ELSE reason END
         WHERE id = ANY (?)
        """,
        orphaned);
    ApplicationKey.signal(handle, heirs, context.now());
  }

  /**
   * The oldest remaining user of the same team owns it from now on; params stay as they were
   * resolved last.
   */
  private void release(List<UUID> released) throws SQLException {
    if (released.isEmpty()) {
      return;
    }
    try (PreparedStatement update =
        connection.prepareStatement(
            """
            UPDATE resources r
               SET owner_id = heir.id, name = heir.name, team = heir.team,
                   defined_by = CASE WHEN r.defined_by = ? THEN heir.id ELSE r.defined_by END,
                   params = CASE WHEN r.defined_by = ? THEN coalesce(r.applied_params, r.params)
                                 ELSE r.params END,
                   version = r.version + 1
              FROM (SELECT DISTINCT ON (u.resource_id) u.resource_id, a.id, u.name, a.team
                      FROM resource_users u JOIN applications a ON a.id = u.application_id
                      JOIN resources o ON o.id = u.resource_id AND o.team = a.team
                     WHERE u.resource_id = ANY (?) AND a.id <> ?
                     ORDER BY u.resource_id, u.since, a.id) AS heir
             WHERE r.id = heir.resource_id AND (r.owner_id = ? OR r.defined_by = ?)
            """)) {
      update.setObject(1, application.id());
      update.setObject(2, application.id());
      update.setArray(3, connection.createArrayOf("uuid", released.toArray()));
      update.setObject(4, application.id());
      update.setObject(5, application.id());
      update.setObject(6, application.id());
      update.executeUpdate();
    }
    on(
        """
        DELETE FROM resource_dependencies d USING resources r
         WHERE r.id = d.resource_id AND r.applied_params IS NOT NULL AND r.params = r.applied_params
           AND d.resource_id = ANY (?)
        """,
        released);
  }

  /** Gates that wait are judged anew by the next owner, if there is one. */
  private void close(List<Removal> removals) throws SQLException {
    List<KnownResource> waiting =
        removals.stream()
            .filter(r -> r.kind() == Removal.Kind.RELEASE || r.kind() == Removal.Kind.RETAIN)
            .map(Removal::known)
            .filter(known -> known.health().waiting())
            .toList();
    GateWaits.close(
        handle, waiting.stream().map(known -> GateWriter.wait(application.id(), known)).toList());
    on(
        "UPDATE resources SET gate = 'closed', gate_look = NULL WHERE id = ANY (?)",
        waiting.stream().map(KnownResource::id).toList());
  }

  private void on(String sql, List<UUID> ids) throws SQLException {
    if (ids.isEmpty()) {
      return;
    }
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
      statement.executeUpdate();
    }
  }
}
