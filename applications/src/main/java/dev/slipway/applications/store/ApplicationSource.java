package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.NodeView;
import dev.slipway.engine.graph.NodeView.Why;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.nodes.NodeSource;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** Applications and their resources as nodes that other branches may wait for. */
public final class ApplicationSource implements NodeSource {
  /** Blocked by those of its resources that are not as asked, and by the approval of its plan. */
  private static final String APPLICATIONS =
      """
      SELECT wanted.name, wanted.environment, a.team, a.state, a.revision::text AS revision,
             gate.message AS gate, gate.id AS approval, gate.created_at AS asked,
             ARRAY(SELECT r.identity FROM resources r LEFT JOIN node_health h ON h.node =
      """
          + ResourceNodeViews.NODE
          + """
                    WHERE (r.id IN (SELECT u.resource_id FROM resource_users u
                                     WHERE u.application_id = a.id)
                           OR r.owner_id = a.id AND NOT r.detached)
                      AND r.state <> 'deleted'
                      AND (r.state <> 'active' OR NOT r.wanted OR
      """
          + ResourceNodeViews.UNWELL
          + """
                          )
                    ORDER BY r.identity) AS blocked_by
        FROM unnest(:names, :environments) AS wanted (name, environment)
        JOIN applications a ON a.environment = wanted.environment AND a.name = wanted.name
                           AND a.deleted_at IS NULL
        LEFT JOIN LATERAL (
          SELECT p.id, p.message, p.created_at FROM deployments d
            JOIN approvals p ON p.id = d.approval_id AND p.state = 'pending'
           WHERE d.application_id = a.id AND d.status = 'waiting'
           ORDER BY d.id DESC LIMIT 1) AS gate ON true
      """;

  private final InstantSource clock;

  public ApplicationSource(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public List<NodeKind> kinds() {
    return List.of(ApplicationRefs.APPLICATION, ApplicationRefs.SPEC, ApplicationRefs.RESOURCE);
  }

  @Override
  public Map<NodeRef, NodeView> find(Handle tx, Set<NodeRef> refs) {
    Map<NodeRef, NodeView> found = new HashMap<>();
    for (NodeKind kind : List.of(ApplicationRefs.APPLICATION, ApplicationRefs.SPEC)) {
      List<NodeRef> wanted = of(kind, refs);
      if (!wanted.isEmpty()) {
        applications(tx, kind, wanted).forEach(view -> found.put(view.node(), view));
      }
    }
    List<NodeRef> resources = of(ApplicationRefs.RESOURCE, refs);
    if (!resources.isEmpty()) {
      new ResourceNodeViews(tx, clock.instant())
          .find(resources)
          .forEach(view -> found.put(view.node(), view));
    }
    return found;
  }

  private static List<NodeRef> of(NodeKind kind, Set<NodeRef> refs) {
    return refs.stream().filter(ref -> ref.is(kind)).toList();
  }

  private static List<NodeView> applications(Handle tx, NodeKind kind, List<NodeRef> wanted) {
    return tx.createQuery(APPLICATIONS)
        .bind("names", wanted.stream().map(NodeRef::name).toArray(String[]::new))
        .bind("environments", wanted.stream().map(NodeRef::environment).toArray(String[]::new))
        .map((rs, _) -> view(kind, rs))
        .list();
  }

  private static NodeView view(NodeKind kind, ResultSet rs) throws SQLException {
    String environment = rs.getString("environment");
    List<NodeRef> blockedBy = new ArrayList<>();
    for (String identity : Columns.texts(rs, "blocked_by")) {
      blockedBy.add(new ApplicationNodes(environment).resource(identity));
    }
    return new NodeView(
        kind.ref(rs.getString("name"), environment),
        Optional.of(rs.getString("team")),
        rs.getString("state"),
        Optional.of(rs.getString("revision")),
        blockedBy,
        why(rs));
  }

  private static Optional<Why> why(ResultSet rs) throws SQLException {
    return rs.getString("approval") == null
        ? Optional.empty()
        : Optional.of(
            new Why(
                "waits for an approval: " + rs.getString("gate"),
                Optional.ofNullable(Columns.timeOrNull(rs, "asked")),
                Optional.of("slipway approve " + rs.getString("approval"))));
  }
}
