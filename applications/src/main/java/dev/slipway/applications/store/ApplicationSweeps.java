package dev.slipway.applications.store;

import dev.slipway.engine.resolve.AdminConfig.Retention;
import dev.slipway.postgres.retention.Sweep;
import java.util.List;
import java.util.Map;

/** What is removed of applications and resources when it is older than it is kept. */
public final class ApplicationSweeps {
  /** Plans that no deployment and no revision refers to. */
  static final Sweep PLANS =
      new Sweep(
          "plans",
          "text",
          "",
          Retention::plans,
          "SELECT hash FROM plans WHERE hash > :after ORDER BY hash LIMIT :count",
          List.of(
              """
              DELETE FROM plans WHERE hash IN (
                SELECT p.hash FROM plans p
                 WHERE p.hash = ANY (:keys) AND p.created_at < :before
                   AND NOT EXISTS (SELECT 1 FROM deployments d WHERE d.plan_hash = p.hash)
                   AND NOT EXISTS (SELECT 1 FROM revisions r WHERE r.plan_hash = p.hash)
                   FOR UPDATE SKIP LOCKED)
              """));

  /**
   * All revisions of an application but its newest, the one in force and those that an open
   * deployment will apply.
   */
  private static final String REVISIONS =
      """
      DELETE FROM revisions r USING applications a
       WHERE a.id = ANY (:keys) AND r.application_id = a.id AND r.revision <> a.revision
         AND r.revision <= (SELECT max(m.revision) FROM revisions m
                             WHERE m.application_id = a.id) - :revisions
         AND NOT EXISTS (SELECT 1 FROM deployments d
                          WHERE d.application_id = a.id AND d.revision = r.revision
                            AND d.status IN ('waiting', 'running'))
      """;

  /** All deployments of an application but its newest, the open ones and the one in force. */
  private static final String DEPLOYMENTS =
      """
      DELETE FROM deployments d
       USING unnest(:keys) AS a (id) CROSS JOIN LATERAL (
             SELECT n.created_at FROM deployments n WHERE n.application_id = a.id
              ORDER BY n.created_at DESC OFFSET :deployments LIMIT 1) AS oldest
       WHERE d.application_id = a.id AND d.created_at <= oldest.created_at
         AND d.status NOT IN ('waiting', 'running')
         AND d.id IS DISTINCT FROM
             (SELECT f.id FROM deployments f
               WHERE f.application_id = a.id AND f.applied_at IS NOT NULL
                 AND f.status <> 'superseded'
               ORDER BY f.applied_at DESC, f.id DESC LIMIT 1)
      """;

  /** Applications that were torn down, with their revisions and deployments. */
  private static final String DELETED_APPLICATIONS =
      """
      DELETE FROM applications WHERE id IN (
        SELECT a.id FROM applications a
         WHERE a.id = ANY (:keys) AND a.deleted_at < :before
           AND NOT EXISTS (SELECT 1 FROM resources r WHERE r.owner_id = a.id)
           AND NOT EXISTS (SELECT 1 FROM deployments d WHERE d.application_id = a.id
                              AND d.status IN ('waiting', 'running'))
           FOR UPDATE SKIP LOCKED)
      """;

  static final Sweep APPLICATIONS =
      new Sweep(
          "applications",
          "uuid",
          Sweep.FIRST_ID,
          Retention::deleted,
          Sweep.IDS.formatted("applications"),
          List.of(REVISIONS, DEPLOYMENTS, DELETED_APPLICATIONS),
          Map.of("revisions", Retention::revisions, "deployments", Retention::deployments));

  static final Sweep TRANSITIONS_OF_RESOURCES =
      new Sweep(
          "resource_transitions",
          "uuid",
          Sweep.FIRST_ID,
          Retention::history,
          Sweep.IDS.formatted("resources"),
          List.of(
              """
              DELETE FROM resource_transitions t
               USING unnest(:keys) AS r (id) CROSS JOIN LATERAL (
                     SELECT n.id FROM resource_transitions n WHERE n.resource_id = r.id
                      ORDER BY n.id DESC OFFSET %d LIMIT 1) AS newest
               WHERE t.resource_id = r.id AND t.id <= newest.id AND t.at < :before
              """
                  .formatted(Sweep.NEWEST)));

  /**
   * Deleted resources that no existing application uses, with all their rows. A state under a
   * workspace name that a workflow chose may describe other resources too: it stays until a step
   * destroys them.
   */
  static final Sweep RESOURCES =
      Sweep.byId(
          "resources",
          Retention::deleted,
          List.of(
              """
              WITH dead AS (
                SELECT r.id FROM resources r
                 WHERE r.id = ANY (:keys) AND r.state = 'deleted' AND NOT r.wanted
                   AND r.state_since < :before
                   AND NOT EXISTS (SELECT 1 FROM resource_users u
                                     JOIN applications a ON a.id = u.application_id
                                    WHERE u.resource_id = r.id AND a.deleted_at IS NULL)
                   AND NOT EXISTS (SELECT 1 FROM resource_dependencies d
                                    WHERE d.depends_on = r.id)
                   AND NOT EXISTS (SELECT 1 FROM module_workspaces w
                                    WHERE w.resource_id = r.id AND w.lock_id IS NOT NULL)
                   FOR UPDATE OF r SKIP LOCKED),
              modules AS (
                DELETE FROM module_workspaces w
                 WHERE w.resource_id IN (SELECT id FROM dead)
                   AND starts_with(w.key, 'resource/' || w.resource_id || '/')
                RETURNING w.key),
              states AS (DELETE FROM module_states WHERE workspace IN (SELECT key FROM modules)),
              history AS (
                DELETE FROM resource_transitions WHERE resource_id IN (SELECT id FROM dead))
              DELETE FROM resources WHERE id IN (SELECT id FROM dead)
              """));

  /** States of modules whose resource was deleted, such as with its environment. */
  static final Sweep MODULES =
      new Sweep(
          "module_workspaces",
          "text",
          "",
          Retention::deleted,
          "SELECT key FROM module_workspaces WHERE key > :after ORDER BY key LIMIT :count",
          List.of(
              """
              WITH gone AS (
                SELECT w.key FROM module_workspaces w
                 WHERE w.key = ANY (:keys) AND w.lock_id IS NULL
                   AND starts_with(w.key, 'resource/' || w.resource_id || '/')
                   AND NOT EXISTS (SELECT 1 FROM resources r WHERE r.id = w.resource_id)
                   AND NOT EXISTS (SELECT 1 FROM module_states s
                                    WHERE s.workspace = w.key AND s.written_at >= :before)
                   FOR UPDATE SKIP LOCKED),
              states AS (DELETE FROM module_states WHERE workspace IN (SELECT key FROM gone))
              DELETE FROM module_workspaces WHERE key IN (SELECT key FROM gone)
              """));

  /** Approvals of deployments that were deleted, with their votes. */
  static final Sweep APPROVALS =
      Sweep.byId(
          "approvals",
          Retention::history,
          List.of(
              """
              DELETE FROM approvals a
               WHERE a.id = ANY (:keys) AND a.created_at < :before AND a.deployment_id IS NOT NULL
                 AND NOT EXISTS (SELECT 1 FROM deployments d WHERE d.id = a.deployment_id)
                 AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = a.run_id)
              """));

  /** Ordered so that each sweep makes rows eligible for the next. */
  public static final List<Sweep> ALL =
      List.of(TRANSITIONS_OF_RESOURCES, RESOURCES, APPLICATIONS, APPROVALS, PLANS, MODULES);

  private ApplicationSweeps() {}
}
