package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.NodeView;
import dev.slipway.engine.graph.NodeView.Why;
import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.nodes.NodeSource;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Applications and their resources as nodes that other branches may wait for. */
public final class ApplicationSource implements NodeSource {
  /** Blocked by those of its resources that are not active, and by the approval of its plan. */
  private static final String APPLICATIONS =
      """
      SELECT wanted.name, wanted.environment, a.team, a.state, a.revision::text AS revision,
             NULL AS reason, NULL::timestamptz AS since, gate.message AS gate, gate.id AS approval,
             gate.created_at AS asked, NULL::uuid AS run,
             ARRAY(SELECT r.identity FROM resource_users u JOIN resources r ON r.id = u.resource_id
                    WHERE u.application_id = a.id AND r.state <> 'deleted'
                      AND (r.state <> 'active' OR r.reason IS NOT NULL
                           OR r.gate_run = r.run_id AND r.gate <> 'open')
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

  /**
   * By identity. Blocked by what it depends on, until that is active and its gate is open, and by
   * the run in charge, until that has succeeded.
   */
  private static final String RESOURCES =
      """
      SELECT wanted.name, wanted.environment, r.team, r.state, r.incarnation::text AS revision,
             r.reason ->> 'message' AS reason, r.state_since AS since, NULL AS gate,
             NULL::uuid AS approval, NULL::timestamptz AS asked,
             (SELECT run.id FROM runs run WHERE run.id = r.run_id AND r.state <> 'active'
                AND run.state <> 'succeeded') AS run,
             ARRAY(SELECT o.identity FROM resource_dependencies d JOIN resources o
                       ON o.id = d.depends_on
                    WHERE d.resource_id = r.id AND d.wanted AND r.state <> 'active'
                      AND (o.state <> 'active' OR o.gate_run = o.run_id AND o.gate <> 'open')
                    ORDER BY o.identity) AS blocked_by
        FROM unnest(:names, :environments) AS wanted (name, environment)
        JOIN resources r ON r.environment = wanted.environment AND r.identity = wanted.name
                        AND r.state <> 'deleted'
      """;

  @Override
  public List<NodeKind> kinds() {
    return List.of(ApplicationRefs.APPLICATION, ApplicationRefs.SPEC, ApplicationRefs.RESOURCE);
  }

  @Override
  public Map<NodeRef, NodeView> find(Handle tx, Set<NodeRef> refs) {
    Map<NodeRef, NodeView> found = new HashMap<>();
    add(found, tx, ApplicationRefs.APPLICATION, APPLICATIONS, refs);
    add(found, tx, ApplicationRefs.SPEC, APPLICATIONS, refs);
    add(found, tx, ApplicationRefs.RESOURCE, RESOURCES, refs);
    return found;
  }

  private static void add(
      Map<NodeRef, NodeView> found, Handle tx, NodeKind kind, String sql, Set<NodeRef> refs) {
    List<NodeRef> wanted = refs.stream().filter(r -> r.prefix().equals(kind.prefix())).toList();
    if (wanted.isEmpty()) {
      return;
    }
    tx.createQuery(sql)
        .bind("names", wanted.stream().map(NodeRef::name).toArray(String[]::new))
        .bind("environments", wanted.stream().map(NodeRef::environment).toArray(String[]::new))
        .map((rs, _) -> view(kind, rs))
        .forEach(view -> found.put(view.node(), view));
  }

  private static NodeView view(NodeKind kind, ResultSet rs) throws SQLException {
    String environment = rs.getString("environment");
    List<NodeRef> blockedBy = new ArrayList<>();
    for (String identity : Columns.texts(rs, "blocked_by")) {
      blockedBy.add(new ApplicationNodes(environment).resource(identity));
    }
    @Nullable String run = rs.getString("run");
    if (run != null) {
      blockedBy.add(TrunkKinds.RUN.ref(run));
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
    if (rs.getString("approval") != null) {
      return Optional.of(
          new Why(
              "waits for an approval: " + rs.getString("gate"),
              Optional.ofNullable(Columns.timeOrNull(rs, "asked")),
              Optional.of("slipway approve " + rs.getString("approval"))));
    }
    @Nullable String reason = rs.getString("reason");
    @Nullable Instant since = Columns.timeOrNull(rs, "since");
    return Optional.ofNullable(reason)
        .map(text -> new Why(text, Optional.ofNullable(since), Optional.empty()));
  }
}
