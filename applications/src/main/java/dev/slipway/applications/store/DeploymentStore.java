package dev.slipway.applications.store;

import dev.slipway.applications.store.Applications.Accepted;
import dev.slipway.engine.access.Caller;
import dev.slipway.postgres.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Deployments in PostgreSQL. */
public final class DeploymentStore {
  /** A deployment, rollback or teardown. {@code resources} is as of now. */
  public record View(
      UUID id,
      String application,
      String environment,
      String team,
      int revision,
      String kind,
      String status,
      String planHash,
      @Nullable UUID approvalId,
      @Nullable Map<String, Object> error,
      List<Applications.Accepted.Item> resources,
      String createdBy,
      Instant createdAt,
      @Nullable Instant completedAt) {}

  private static final String SELECT =
      """
      SELECT d.id, d.application_id, a.name, a.environment, a.team, d.revision, d.kind, d.status,
             d.plan_hash, d.approval_id, d.error, d.created_by, d.created_at, d.completed_at
        FROM deployments d JOIN applications a ON a.id = d.application_id
      """;

  private final ApplicationContext context;

  /** In this context. */
  public DeploymentStore(ApplicationContext context) {
    this.context = context;
  }

  /** The newest deployment of an application. */
  record Newest(UUID id, String status) {}

  static Optional<Newest> newest(Handle handle, UUID application) {
    return handle
        .createQuery(
            "SELECT id, status FROM deployments WHERE application_id = ?"
                + " ORDER BY created_at DESC, id DESC LIMIT 1")
        .bind(0, application)
        .map((rs, _) -> new Newest(rs.getObject("id", UUID.class), rs.getString("status")))
        .findOne();
  }

  /** One of them. */
  public View show(Caller caller, UUID id) {
    return context.read(
        h ->
            Visibility.bind(
                    h.createQuery(
                            SELECT
                                + " WHERE d.id = :id AND "
                                + String.format(Visibility.OF_TEAM, "a"))
                        .bind("id", id),
                    caller)
                .map((rs, _) -> view(h, rs))
                .findOne()
                .orElseThrow(() -> ApplicationContext.notFound("deployment", id.toString())));
  }

  /** Those of an application, newest first. */
  public List<View> list(Caller caller, Applications.Ref application) {
    return context.read(
        h -> {
          ApplicationRow row = Visibility.application(h, caller, application);
          return new ArrayList<>(
              h.createQuery(
                      SELECT
                          + " WHERE d.application_id = ? ORDER BY d.created_at DESC, d.id DESC"
                          + " LIMIT 100")
                  .bind(0, row.id())
                  .map((rs, _) -> view(h, rs))
                  .list());
        });
  }

  /** All that the caller may see, also of applications that are gone; newest first. */
  public List<View> history(
      Caller caller, Optional<String> application, Optional<String> environment) {
    return context.read(
        h ->
            new ArrayList<>(
                Visibility.bind(
                        h.createQuery(
                                SELECT
                                    + " WHERE (:name IS NULL OR a.name = :name)"
                                    + " AND (:environment IS NULL OR a.environment = :environment)"
                                    + " AND "
                                    + String.format(Visibility.OF_TEAM, "a")
                                    + " ORDER BY d.created_at DESC, d.id DESC LIMIT 100")
                            .bind("name", application.orElse(null))
                            .bind("environment", environment.orElse(null)),
                        caller)
                    .map((rs, _) -> view(h, rs))
                    .list()));
  }

  private static View view(Handle handle, ResultSet rs) throws SQLException {
    return new View(
        rs.getObject("id", UUID.class),
        rs.getString("name"),
        rs.getString("environment"),
        rs.getString("team"),
        rs.getInt("revision"),
        rs.getString("kind"),
        rs.getString("status"),
        rs.getString("plan_hash"),
        rs.getObject("approval_id", UUID.class),
        Columns.treeOrNull(rs, "error"),
        resources(handle, rs.getString("plan_hash")),
        rs.getString("created_by"),
        Columns.time(rs, "created_at"),
        Columns.timeOrNull(rs, "completed_at"));
  }

  /**
   * What its plan is about, and where that stands now. Plans of the first releases list it as
   * {@code resources}.
   */
  private static List<Accepted.Item> resources(Handle handle, String planHash) {
    return handle
        .createQuery(
            """
            SELECT i.item ->> 'name' AS name, i.item ->> 'type' AS type,
                   i.item ->> 'change' AS change, r.id, coalesce(r.state, 'requested') AS state
              FROM plans p
              CROSS JOIN LATERAL json_array_elements(
                  coalesce(p.body -> 'items', p.body -> 'resources', '[]')) AS i (item)
              LEFT JOIN LATERAL (SELECT o.id, o.state FROM resources o
                                  WHERE o.environment = p.environment
                                    AND o.identity = i.item ->> 'identity'
                                    AND (o.team = p.team
                                         OR EXISTS (SELECT 1 FROM resource_users u
                                                      JOIN applications a ON a.id = u.application_id
                                                     WHERE u.resource_id = o.id
                                                       AND a.team = p.team))
                                  ORDER BY o.id DESC LIMIT 1) AS r ON true
             WHERE p.hash = ? ORDER BY 1
            """)
        .bind(0, planHash)
        .map(
            (rs, _) ->
                new Accepted.Item(
                    rs.getString("name"),
                    rs.getString("type"),
                    rs.getObject("id", UUID.class),
                    rs.getString("state"),
                    rs.getString("change")))
        .list();
  }
}
