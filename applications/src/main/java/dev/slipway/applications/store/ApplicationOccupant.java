package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.postgres.environments.Occupant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applications in environments, and resources that have outlived their application. */
public final class ApplicationOccupant implements Occupant {
  private static final Logger LOG = LoggerFactory.getLogger(ApplicationOccupant.class);

  /** What is left in an environment. */
  private enum Left implements State {
    APPLICATION(ApplicationRefs.APPLICATION),
    RESOURCE(ApplicationRefs.RESOURCE);

    private final NodeKind kind;

    Left(NodeKind kind) {
      this.kind = kind;
    }
  }

  private final ApplicationContext context;
  private final ApplicationStore applications;

  public ApplicationOccupant(ApplicationContext context, RunStore runs) {
    this.context = context;
    this.applications = new ApplicationStore(context, runs);
  }

  @Override
  public List<NodeRef> remaining(Handle tx, String environment, int limit) {
    return tx.createQuery(
            """
            SELECT name, 'application' AS kind FROM applications
             WHERE environment = :name AND deleted_at IS NULL
            UNION ALL
            SELECT identity, 'resource' FROM resources WHERE environment = :name AND state <> 'deleted'
               AND owner_id NOT IN (SELECT id FROM applications
                                     WHERE environment = :name AND deleted_at IS NULL)
             ORDER BY 1 LIMIT :limit
            """)
        .bind("name", environment)
        .bind("limit", limit)
        .map(
            (rs, _) ->
                State.parse(Left.class, rs.getString("kind"))
                    .kind
                    .ref(rs.getString("name"), environment))
        .list();
  }

  @Override
  public Map<String, Integer> count(Handle tx, String environment, Caller caller) {
    int applications =
        Visibility.bind(
                tx.createQuery(
                        "SELECT count(*) FROM applications a WHERE a.environment = :name"
                            + " AND a.deleted_at IS NULL AND "
                            + String.format(Visibility.OF_TEAM, "a"))
                    .bind("name", environment),
                caller)
            .mapTo(Integer.class)
            .one();
    return Map.of("applications", applications);
  }

  @Override
  public Set<String> teams(Handle tx, String environment) {
    return tx.createQuery(
            """
            SELECT team FROM applications WHERE environment = :name
            UNION
            SELECT team FROM resources WHERE environment = :name
            """)
        .bind("name", environment)
        .mapTo(String.class)
        .set();
  }

  @Override
  public boolean owns(Handle tx, String team) {
    return tx.createQuery(
            "SELECT EXISTS (SELECT 1 FROM applications WHERE team = :team AND deleted_at IS NULL)")
        .bind("team", team)
        .mapTo(Boolean.class)
        .one();
  }

  /** The newest first. */
  @Override
  public void tearDown(String environment, Caller caller) {
    for (String name : living(environment)) {
      try {
        applications.deprovision(
            caller,
            new Applications.Ref(name, environment),
            new Applications.Teardown(
                Optional.of(name), Applications.Teardown.Leftovers.BY_POLICY, Optional.empty()));
      } catch (RefusedException e) {
        LOG.warn(
            "cannot tear down {} of the ended environment {}: {}",
            name,
            environment,
            e.getMessage());
      }
    }
  }

  private List<String> living(String environment) {
    return context.read(
        h ->
            h.createQuery(
                    """
                    SELECT a.name FROM applications a
                     WHERE a.environment = :name AND a.deleted_at IS NULL
                       AND coalesce((SELECT d.kind <> 'teardown' FROM deployments d
                                      WHERE d.application_id = a.id
                                      ORDER BY d.created_at DESC, d.id DESC LIMIT 1), true)
                     ORDER BY a.created_at DESC, a.id DESC
                    """)
                .bind("name", environment)
                .mapTo(String.class)
                .list());
  }

  @Override
  public void forget(Handle tx, String environment) {
    tx.execute(
        "DELETE FROM resource_transitions WHERE resource_id IN"
            + " (SELECT id FROM resources WHERE environment = ?)",
        environment);
    tx.execute("DELETE FROM resources WHERE environment = ?", environment);
    tx.execute("DELETE FROM applications WHERE environment = ?", environment);
  }
}
