package dev.slipway.applications.store;

import dev.slipway.applications.explain.Explain;
import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.NodeView;
import dev.slipway.engine.graph.NodeView.Why;
import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.DatabaseException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Resources as nodes. What is said about one is what the explanation of its application says. */
final class ResourceNodeViews {
  /** The text of the reference to the resource {@code r}, as {@link NodeRef#text} writes it. */
  static final String NODE =
      """
      'resource:' || r.identity || CASE WHEN r.environment = 'default'
          AND strpos(r.identity, '@') = 0 THEN '' ELSE '@' || r.environment END
      """;

  /** Whether the resource {@code r} with the health {@code h} is there, but not well. */
  static final String UNWELL =
      """
      (r.reason IS NOT NULL OR r.gate_run = r.run_id AND r.gate <> 'open'
       OR r.state = 'active' AND h.health <> 'Healthy' AND h.rule <> 'not-observable')
      """;

  /**
   * By identity. Blocked by what it depends on, until that is active and its gate is open, or by
   * what still depends on it when it is to be deleted; and by the run in charge, until that has
   * succeeded.
   */
  private static final String RESOURCES =
      """
      SELECT wanted.name, wanted.environment, r.id, r.team, r.state,
             r.incarnation::text AS revision,
      """
          + UNWELL
          + """
             IS TRUE AS unwell,
             (SELECT run.id FROM runs run WHERE run.id = r.run_id AND r.state <> 'active'
                AND run.state <> 'succeeded') AS run,
             CASE WHEN r.wanted THEN
               ARRAY(SELECT o.identity FROM resource_dependencies d JOIN resources o
                         ON o.id = d.depends_on
                      WHERE d.resource_id = r.id AND d.wanted AND r.state <> 'active'
                        AND (o.state <> 'active' OR o.gate_run = o.run_id AND o.gate <> 'open')
                      ORDER BY o.identity)
             ELSE
               ARRAY(SELECT o.identity FROM resource_dependencies d JOIN resources o
                         ON o.id = d.resource_id
                      WHERE d.depends_on = r.id AND o.state <> 'deleted' AND NOT o.detached
                      ORDER BY o.identity)
             END AS blocked_by
        FROM unnest(:names, :environments) AS wanted (name, environment)
        JOIN resources r ON r.environment = wanted.environment AND r.identity = wanted.name
                        AND r.state <> 'deleted'
        LEFT JOIN node_health h ON h.node =
      """
          + NODE;

  private final Handle handle;
  private final Instant now;

  ResourceNodeViews(Handle handle, Instant now) {
    this.handle = handle;
    this.now = now;
  }

  /**
   * One row.
   *
   * @param run in charge that has not succeeded
   */
  private record Row(
      UUID id,
      NodeRef node,
      String team,
      String state,
      String revision,
      boolean unwell,
      @Nullable String run,
      List<NodeRef> blockedBy) {

    NodeView view(Optional<Why> why) {
      List<NodeRef> all =
          Stream.concat(blockedBy.stream(), Stream.ofNullable(run).map(TrunkKinds.RUN::ref))
              .toList();
      return new NodeView(node, Optional.of(team), state, Optional.of(revision), all, why);
    }
  }

  List<NodeView> find(Collection<NodeRef> refs) {
    List<Row> rows =
        handle
            .createQuery(RESOURCES)
            .bind("names", refs.stream().map(NodeRef::name).toArray(String[]::new))
            .bind("environments", refs.stream().map(NodeRef::environment).toArray(String[]::new))
            .map((rs, _) -> row(rs))
            .list();
    Map<UUID, KnownResource> unwell = unwell(rows);
    return rows.stream()
        .map(row -> row.view(Optional.ofNullable(unwell.get(row.id())).flatMap(r -> why(row, r))))
        .toList();
  }

  private static Row row(ResultSet rs) throws SQLException {
    String environment = rs.getString("environment");
    List<NodeRef> blockedBy = new ArrayList<>();
    for (String identity : Columns.texts(rs, "blocked_by")) {
      blockedBy.add(new ApplicationNodes(environment).resource(identity));
    }
    return new Row(
        rs.getObject("id", UUID.class),
        ApplicationRefs.RESOURCE.ref(rs.getString("name"), environment),
        rs.getString("team"),
        rs.getString("state"),
        rs.getString("revision"),
        rs.getBoolean("unwell"),
        rs.getString("run"),
        blockedBy);
  }

  private Map<UUID, KnownResource> unwell(List<Row> rows) {
    UUID[] ids = rows.stream().filter(Row::unwell).map(Row::id).toArray(UUID[]::new);
    try {
      Map<UUID, KnownResource> unwell = new HashMap<>();
      KnownResources.observed(handle.getConnection(), ids)
          .resources()
          .forEach(resource -> unwell.put(resource.id(), resource));
      return unwell;
    } catch (SQLException e) {
      throw new DatabaseException("cannot read why resources are not well: " + e.getMessage(), e);
    }
  }

  /** The run in charge, where there is one, says itself how to go on. */
  private Optional<Why> why(Row row, KnownResource resource) {
    boolean ownFault = row.run() == null && row.blockedBy().isEmpty();
    return Explain.fault(new Explaining(handle, now).facts(resource, ResourceNeighbours.NONE))
        .map(why -> new Why(why.text(), why.since(), ownFault ? why.command() : Optional.empty()));
  }
}
