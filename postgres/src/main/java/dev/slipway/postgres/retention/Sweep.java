package dev.slipway.postgres.retention;

import dev.slipway.engine.resolve.AdminConfig.Retention;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * One walk through a table, a batch of keys after the other, and what each batch removes. A walk
 * looks at rows in the order of a key, so a batch costs the same at the beginning and at the end,
 * and rows that stay are passed over once a walk.
 *
 * <p>Removals bind {@code :keys} (the batch), {@code :before} (now minus {@code kept}), {@code
 * :revisions} and {@code :deployments}. They lock rows with SKIP LOCKED: a transaction that works
 * with a row keeps it for the next walk.
 *
 * @param type of the key
 * @param start a key before all others
 * @param look the next keys: binds {@code :after}, {@code :before} and {@code :count}
 */
public record Sweep(
    String name,
    String type,
    String start,
    Function<Retention, Duration> kept,
    String look,
    List<String> removals) {
  private static final String FIRST_ID = "00000000-0000-0000-0000-000000000000";

  private static final String IDS =
      "SELECT t.id::text FROM %s t WHERE t.id > CAST(:after AS uuid) ORDER BY t.id LIMIT :count";

  /** How many transitions of a resource are kept, however old. */
  public static final int TRANSITIONS = 20;

  private static Sweep byId(
      String table, Function<Retention, Duration> kept, List<String> removals) {
    return new Sweep(table, "uuid", FIRST_ID, kept, IDS.formatted(table), removals);
  }

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
      byId(
          "applications",
          Retention::deleted,
          List.of(REVISIONS, DEPLOYMENTS, DELETED_APPLICATIONS));

  static final Sweep TRANSITIONS_OF_RESOURCES =
      new Sweep(
          "resource_transitions",
          "uuid",
          FIRST_ID,
          Retention::history,
          IDS.formatted("resources"),
          List.of(
              """
              DELETE FROM resource_transitions t
               USING unnest(:keys) AS r (id) CROSS JOIN LATERAL (
                     SELECT n.id FROM resource_transitions n WHERE n.resource_id = r.id
                      ORDER BY n.id DESC OFFSET %d LIMIT 1) AS newest
               WHERE t.resource_id = r.id AND t.id <= newest.id AND t.at < :before
              """
                  .formatted(TRANSITIONS)));

  /**
   * Deleted resources that no existing application uses, with all their rows. A state under a
   * workspace name that a workflow chose may describe other resources too: it stays until a step
   * destroys them.
   */
  static final Sweep RESOURCES =
      byId(
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

  /** Approvals whose deployment or run was deleted, with their votes. */
  static final Sweep APPROVALS =
      byId(
          "approvals",
          Retention::history,
          List.of(
              """
              DELETE FROM approvals a
               WHERE a.id = ANY (:keys) AND a.created_at < :before
                 AND CASE WHEN a.kind = 'plan'
                          THEN NOT EXISTS (SELECT 1 FROM deployments d WHERE d.id = a.deployment_id)
                               AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = a.run_id)
                          ELSE NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = a.run_id) END
              """));

  /** Entries that no legal hold keeps. */
  static final Sweep AUDIT =
      new Sweep(
          "audit",
          "bigint",
          "0",
          Retention::audit,
          """
          SELECT e.id::text FROM audit e WHERE e.id > CAST(:after AS bigint) AND e.at < :before
           ORDER BY e.id LIMIT :count
          """,
          List.of(
              """
              DELETE FROM audit e
               WHERE e.id = ANY (:keys)
                 AND NOT EXISTS (
                       SELECT 1 FROM audit_holds h
                        WHERE h.lifted_at IS NULL
                          AND (h.team IS NULL OR h.team = e.team)
                          AND (h.object IS NULL OR e.object = h.object
                               OR starts_with(e.object, h.object || '/'))
                          AND (h.from_at IS NULL OR e.at >= h.from_at)
                          AND (h.until_at IS NULL OR e.at < h.until_at))
              """));

  static final Sweep HOLDS =
      byId(
          "audit_holds",
          Retention::audit,
          List.of("DELETE FROM audit_holds WHERE id = ANY (:keys) AND lifted_at < :before"));

  static final Sweep API_KEYS =
      byId(
          "api_keys",
          Retention::credentials,
          List.of(
              """
              DELETE FROM api_keys
               WHERE id = ANY (:keys) AND least(revoked_at, expires_at) < :before
              """));

  static final Sweep LOGIN_SESSIONS =
      byId(
          "login_sessions",
          Retention::credentials,
          List.of("DELETE FROM login_sessions WHERE id = ANY (:keys) AND expires_at < :before"));

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

  /** States that were written after their workspace was lost. */
  static final Sweep STATES =
      new Sweep(
          "module_states",
          "text",
          "",
          Retention::deleted,
          """
          SELECT DISTINCT workspace FROM module_states WHERE workspace > :after
           ORDER BY workspace LIMIT :count
          """,
          List.of(
              """
              DELETE FROM module_states s
               WHERE s.workspace = ANY (:keys) AND s.written_at < :before
                 AND NOT EXISTS (SELECT 1 FROM module_workspaces w WHERE w.key = s.workspace)
              """));

  /** Nodes without a sample for long: they were deleted or renamed. */
  static final Sweep NODE_HEALTH =
      new Sweep(
          "node_health",
          "text",
          "",
          Retention::deleted,
          "SELECT node FROM node_health WHERE node > :after ORDER BY node LIMIT :count",
          List.of(
              """
              DELETE FROM node_health WHERE node IN (
                SELECT node FROM node_health
                 WHERE node = ANY (:keys) AND sampled_at < :before FOR UPDATE SKIP LOCKED)
              """));

  /** Of a node that exists, the newest changes are kept. */
  static final Sweep HEALTH_HISTORY =
      new Sweep(
          "health_history",
          "bigint",
          "0",
          Retention::history,
          """
          SELECT t.id::text FROM health_history t
           WHERE t.id > CAST(:after AS bigint) AND t.at < :before ORDER BY t.id LIMIT :count
          """,
          List.of(
              """
              DELETE FROM health_history t
               WHERE t.id = ANY (:keys)
                 AND NOT EXISTS (
                       SELECT 1 FROM node_health h
                        WHERE h.node = t.node
                          AND (SELECT count(*) FROM (
                                 SELECT 1 FROM health_history n
                                  WHERE n.node = t.node AND n.id > t.id LIMIT %1$d) AS later) < %1$d)
              """
                  .formatted(TRANSITIONS)));

  /** Leases that no replica has taken or renewed for long. */
  static final Sweep LEASES =
      new Sweep(
          "leases",
          "text",
          "",
          Retention::deleted,
          "SELECT name FROM leases WHERE name > :after ORDER BY name LIMIT :count",
          List.of(
              """
              DELETE FROM leases WHERE name IN (
                SELECT name FROM leases
                 WHERE name = ANY (:keys) AND expires_at < :before FOR UPDATE SKIP LOCKED)
              """));

  /** Ordered so that each sweep makes rows eligible for the next. */
  public static final List<Sweep> ALL =
      List.of(
          TRANSITIONS_OF_RESOURCES,
          RESOURCES,
          APPLICATIONS,
          APPROVALS,
          PLANS,
          MODULES,
          STATES,
          AUDIT,
          HOLDS,
          API_KEYS,
          LOGIN_SESSIONS,
          NODE_HEALTH,
          LEASES,
          HEALTH_HISTORY);
}
