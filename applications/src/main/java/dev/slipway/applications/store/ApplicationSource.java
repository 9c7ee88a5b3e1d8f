package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.web.branch.NodeSource;
import dev.slipway.web.branch.NodeView;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Applications and their resources as nodes that other branches may wait for. */
public final class ApplicationSource implements NodeSource {
  /** Blocked by those of its resources that are not active. */
  private static final String APPLICATIONS =
      """
      SELECT wanted.name, wanted.environment, a.team, a.state, a.revision::text AS revision,
             NULL AS reason,
             ARRAY(SELECT r.identity FROM resource_users u JOIN resources r ON r.id = u.resource_id
                    WHERE u.application_id = a.id AND r.state <> 'deleted'
                      AND (r.state <> 'active' OR r.gate_run = r.run_id AND r.gate <> 'open')
                    ORDER BY r.identity) AS blocked_by
        FROM unnest(:names, :environments) AS wanted (name, environment)
        JOIN applications a ON a.environment = wanted.environment AND a.name = wanted.name
                           AND a.deleted_at IS NULL
      """;

  /** By identity. Blocked by what it depends on, until that is active and its gate is open. */
  private static final String RESOURCES =
      """
      SELECT wanted.name, wanted.environment, r.team, r.state, r.incarnation::text AS revision,
             r.reason ->> 'message' AS reason,
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
    return List.of(ApplicationRefs.APPLICATION, ApplicationRefs.RESOURCE);
  }

  @Override
  public Map<NodeRef, NodeView> find(Handle tx, Set<NodeRef> refs) {
    Map<NodeRef, NodeView> found = new HashMap<>();
    add(found, tx, ApplicationRefs.APPLICATION, APPLICATIONS, refs);
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
    @Nullable String reason = rs.getString("reason");
    return new NodeView(
        kind.ref(rs.getString("name"), environment),
        rs.getString("team"),
        rs.getString("state"),
        Optional.of(rs.getString("revision")),
        Columns.texts(rs, "blocked_by").stream()
            .map(identity -> ApplicationRefs.RESOURCE.ref(identity, environment))
            .toList(),
        Optional.ofNullable(reason));
  }
}
