package dev.slipway.applications.store;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * A few resources of an application and their neighbours, which grow when a decision needs more of
 * them. What is found does not depend on how many resources the application has.
 *
 * @param core locked, with their dependencies and, if they are to be deleted, all their dependents
 * @param expanded part of the core, with the neighbours that listen to them, which are in the core
 */
record LockedNeighbourhood(UUID application, Set<UUID> core, Set<UUID> expanded, Set<UUID> all) {
  /** A neighbour that waits for another one is not concerned. */
  private static final String CORE =
      """
      SELECT id FROM resources
       WHERE id = ANY (ARRAY (
          SELECT unnest(?::uuid[])
          UNION
          SELECT r.id FROM resource_dependencies d JOIN resources r ON r.id = d.resource_id
           WHERE d.depends_on = ANY (?) AND r.wanted AND NOT r.detached AND r.owner_id = ?
             AND (r.waits_for IS NULL OR r.waits_for = d.depends_on OR r.waits_for = r.id)
          UNION
          SELECT r.id FROM resource_dependencies d JOIN resources r ON r.id = d.depends_on
           WHERE d.resource_id = ANY (?) AND NOT r.wanted AND NOT r.detached AND r.owner_id = ?
             AND (r.waits_for IS NULL OR r.waits_for = d.resource_id OR r.waits_for = r.id)))
       ORDER BY id FOR NO KEY UPDATE
      """;

  private static final String NEIGHBOURS =
      """
      SELECT depends_on FROM resource_dependencies WHERE resource_id = ANY (?)
      UNION
      SELECT d.resource_id FROM resources r JOIN resource_dependencies d ON d.depends_on = r.id
       WHERE r.id = ANY (?) AND NOT r.wanted
      """;

  private static final String AHEAD =
      """
      WITH RECURSIVE ahead (id, depth) AS (
        SELECT unnest(?::uuid[]), 0
        UNION
        SELECT d.resource_id, a.depth + 1
          FROM ahead a JOIN resource_dependencies d ON d.depends_on = a.id
          JOIN resources r ON r.id = d.resource_id
           AND (r.waits_for IS NULL OR r.waits_for = a.id OR r.waits_for = r.id)
         WHERE a.depth < ?)
      SELECT DISTINCT r.id FROM ahead a JOIN resources r ON r.id = a.id AND r.owner_id = ?
      """;

  /** Locks the core, in the order of ids as every transaction does. */
  static LockedNeighbourhood of(
      Connection connection, UUID application, Collection<UUID> core, Collection<UUID> expanded)
      throws SQLException {
    Set<UUID> given = new HashSet<>(core);
    given.addAll(expanded);
    Array fan = array(connection, expanded);
    Set<UUID> locked =
        ids(connection, CORE, array(connection, given), fan, application, fan, application);
    Array held = array(connection, locked);
    Set<UUID> all = new HashSet<>(locked);
    all.addAll(ids(connection, NEIGHBOURS, held, held));
    return new LockedNeighbourhood(application, locked, Set.copyOf(expanded), all);
  }

  /** With more in the core, and everything that depends on more of them, that many levels up. */
  LockedNeighbourhood wider(Connection connection, Set<UUID> more, Set<UUID> fan, int levels)
      throws SQLException {
    Set<UUID> newCore = new HashSet<>(core);
    newCore.addAll(more);
    Set<UUID> newExpanded = new HashSet<>(expanded);
    newExpanded.addAll(
        levels <= 1
            ? fan
            : ids(connection, AHEAD, array(connection, fan), levels - 1, application));
    return of(connection, application, newCore, newExpanded);
  }

  private static Array array(Connection connection, Collection<UUID> ids) throws SQLException {
    return connection.createArrayOf("uuid", ids.toArray());
  }

  private static Set<UUID> ids(Connection connection, String sql, Object... values)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      for (int i = 0; i < values.length; i++) {
        select.setObject(i + 1, values[i]);
      }
      List<UUID> found = new ArrayList<>();
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          found.add(rows.getObject(1, UUID.class));
        }
      }
      return new HashSet<>(found);
    }
  }
}
