package dev.slipway.postgres.retention;

import dev.slipway.engine.resolve.AdminConfig.Observe;
import dev.slipway.engine.resolve.AdminConfig.Retention;
import java.time.Duration;
import java.util.Collections;
import java.util.List;

/** Walks through the tables of the trunk. */
final class TrunkSweeps {
  private TrunkSweeps() {}

  /**
   * Approvals whose run was deleted, with their votes; those of requests belong to their branch. A
   * planned run has no row before it is approved.
   */
  static final Sweep APPROVALS =
      Sweep.byId(
          "approvals",
          Retention::history,
          List.of(
              """
              DELETE FROM approvals a
               WHERE a.id = ANY (:keys) AND a.created_at < :before AND a.deployment_id IS NULL
                 AND (a.state <> 'pending' OR a.expires_at < :before)
                 AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = a.run_id)
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
      Sweep.byId(
          "audit_holds",
          Retention::audit,
          List.of("DELETE FROM audit_holds WHERE id = ANY (:keys) AND lifted_at < :before"));

  static final Sweep API_KEYS =
      Sweep.byId(
          "api_keys",
          Retention::credentials,
          List.of(
              """
              DELETE FROM api_keys
               WHERE id = ANY (:keys) AND least(revoked_at, expires_at) < :before
              """));

  static final Sweep LOGIN_SESSIONS =
      Sweep.byId(
          "login_sessions",
          Retention::credentials,
          List.of("DELETE FROM login_sessions WHERE id = ANY (:keys) AND expires_at < :before"));

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

  /**
   * Two of the longest intervals between looks. A row that went between two samples of a node would
   * make the second one a change, with history and an event, although nothing has changed.
   */
  private static final Duration UNSEEN = Observe.LONGEST.multipliedBy(2);

  /** Nodes without a sample for long: they were deleted or renamed. */
  static final Sweep NODE_HEALTH =
      new Sweep(
          "node_health",
          "text",
          "",
          kept -> Collections.max(List.of(kept.deleted(), UNSEEN)),
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
                  .formatted(Sweep.NEWEST)));

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

  /** Those of the trunk, after which come the rows that they make eligible. */
  static final List<Sweep> ALL =
      List.of(
          APPROVALS,
          STATES,
          AUDIT,
          HOLDS,
          API_KEYS,
          LOGIN_SESSIONS,
          NODE_HEALTH,
          LEASES,
          HEALTH_HISTORY);
}
