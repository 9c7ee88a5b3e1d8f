package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.web.branch.Sampler;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Looks at resources when they are asked for; at an application by a look at what it uses. */
public final class ApplicationSampler implements Sampler {
  private static final String APPLICATIONS =
      """
      SELECT r.id
        FROM unnest(:names, :environments) AS asked (name, environment)
        JOIN applications a ON a.environment = asked.environment AND a.name = asked.name
                           AND a.deleted_at IS NULL
        JOIN resource_users u ON u.application_id = a.id
        JOIN resources r ON r.id = u.resource_id AND r.state IN ('active', 'degraded')
      """;

  private static final String RESOURCES =
      """
      SELECT r.id
        FROM unnest(:names, :environments) AS asked (name, environment)
        JOIN resources r ON r.environment = asked.environment AND r.identity = asked.name
                        AND r.state IN ('active', 'degraded')
      """;

  /** What is under work is looked at afterwards. */
  private static final String CHANGED =
      """
      SELECT r.id FROM resources r
       WHERE r.id = ANY (:ids)
         AND (r.state IN ('active', 'degraded')
              OR r.state = 'failed' AND r.applied_params IS NOT NULL)
      """;

  private final ApplicationContext context;

  public ApplicationSampler(ApplicationContext context) {
    this.context = context;
  }

  @Override
  public List<NodeKind> kinds() {
    return List.of(ApplicationRefs.APPLICATION, ApplicationRefs.RESOURCE);
  }

  @Override
  public void ask(Handle tx, Set<NodeRef> nodes) {
    ask(tx, ApplicationRefs.APPLICATION, APPLICATIONS, nodes);
    ask(tx, ApplicationRefs.RESOURCE, RESOURCES, nodes);
  }

  @Override
  public void changed(Handle tx, Set<UUID> owners) {
    List<UUID> resources =
        tx.createQuery(CHANGED).bind("ids", owners.toArray(UUID[]::new)).mapTo(UUID.class).list();
    LookQueue.ask(tx, resources, context.now());
  }

  private void ask(Handle tx, NodeKind kind, String sql, Set<NodeRef> nodes) {
    List<NodeRef> asked = nodes.stream().filter(node -> node.is(kind)).toList();
    if (asked.isEmpty()) {
      return;
    }
    List<UUID> resources =
        tx.createQuery(sql)
            .bind("names", asked.stream().map(NodeRef::name).toArray(String[]::new))
            .bind("environments", asked.stream().map(NodeRef::environment).toArray(String[]::new))
            .mapTo(UUID.class)
            .list();
    LookQueue.ask(tx, resources, context.now());
  }
}
