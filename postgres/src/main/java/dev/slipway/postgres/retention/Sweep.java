package dev.slipway.postgres.retention;

import dev.slipway.engine.resolve.AdminConfig.Observe;
import dev.slipway.engine.resolve.AdminConfig.Retention;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * One walk through a table, a batch of keys after the other, and what each batch removes. A walk
 * looks at rows in the order of a key, so a batch costs the same at the beginning and at the end,
 * and rows that stay are passed over once a walk.
 *
 * <p>Removals bind {@code :keys} (the batch), {@code :before} (now minus {@code kept}) and the
 * {@code counts} by name. They lock rows with SKIP LOCKED: a transaction that works with a row
 * keeps it for the next walk.
 *
 * @param type of the key
 * @param start a key before all others
 * @param look the next keys: binds {@code :after}, {@code :before} and {@code :count}
 * @param counts how many of something are kept however old, by the name that a removal binds
 */
public record Sweep(
    String name,
    String type,
    String start,
    Function<Retention, Duration> kept,
    String look,
    List<String> removals,
    Map<String, Function<Retention, Integer>> counts) {
  /** A key before all others of type uuid. */
  public static final String FIRST_ID = "00000000-0000-0000-0000-000000000000";

  /** The next ids of a table. */
  public static final String IDS =
      "SELECT t.id::text FROM %s t WHERE t.id > CAST(:after AS uuid) ORDER BY t.id LIMIT :count";

  /** How many changes of a node are kept, however old. */
  public static final int NEWEST = 20;

  /** One whose removals bind no counts. */
  public Sweep(
      String name,
      String type,
      String start,
      Function<Retention, Duration> kept,
      String look,
      List<String> removals) {
    this(name, type, start, kept, look, removals, Map.of());
  }

  /** A walk through a table in the order of its ids. */
  public static Sweep byId(
      String table, Function<Retention, Duration> kept, List<String> removals) {
    return new Sweep(table, "uuid", FIRST_ID, kept, IDS.formatted(table), removals);
  }

  /**
   * Approvals whose run was deleted, with their votes; those of requests belong to their branch. A
   * planned run has no row before it is approved.
   */
  static final Sweep APPROVALS =
      byId(
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
                  .formatted(NEWEST)));

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
  private static final List<Sweep> TRUNK =
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

  /**
   * Those of branches and the trunk, ordered so that each sweep makes rows eligible for the next.
   */
  public static List<Sweep> all(List<Sweep> ofBranches) {
    List<Sweep> all = new ArrayList<>(ofBranches);
    all.addAll(TRUNK);
    return List.copyOf(all);
  }
}
