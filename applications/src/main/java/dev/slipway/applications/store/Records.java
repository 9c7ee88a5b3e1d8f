package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.Plan;
import dev.slipway.applications.store.Preparation.Prepared;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.graph.GraphText;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.environments.EnvironmentRow;
import java.time.Instant;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The rows around an application: environment, revision, plan. */
record Records(ApplicationContext context, Handle handle, Caller caller) {
  /**
   * Fails on a row that another transaction made meanwhile: the whole request is tried again and
   * meets that row's team and protection.
   */
  void environment(EnvironmentRow row) {
    handle.execute(
        "INSERT INTO environments (name, team, type, ttl, expires_at, created_at, updated_at)"
            + " VALUES (?, ?, ?, make_interval(secs => ?), ?, ?, ?)",
        row.name(),
        row.team(),
        row.type(),
        row.ttl() == null ? null : row.ttl().toMillis() / 1000.0,
        row.expiresAt(),
        row.createdAt(),
        row.updatedAt());
  }

  /** The application's row, made or brought back to life; its revision is still the old one. */
  ApplicationRow application(Prepared prepared) {
    Instant now = context.now();
    if (prepared.existing().isEmpty()) {
      handle.execute(
          "INSERT INTO applications (id, environment, name, team, revision, state, created_by,"
              + " created_at, updated_at, resource_count, active_count)"
              + " VALUES (?, ?, ?, ?, 0, 'requested', ?, ?, ?, 0, 0)",
          prepared.id(),
          prepared.environment().name(),
          prepared.wanted().application(),
          prepared.team(),
          caller.user(),
          now,
          now);
    } else if (!prepared.living()) {
      handle.execute(
          "UPDATE applications SET deleted_at = NULL, state = 'requested', updated_at = ?"
              + " WHERE id = ?",
          now,
          prepared.id());
    }
    return ApplicationRow.lock(handle, prepared.id()).orElseThrow();
  }

  int revision(ApplicationRow application, Prepared prepared) {
    int revision =
        handle
            .createQuery(
                "SELECT coalesce(max(revision), 0) + 1 FROM revisions WHERE application_id = ?")
            .bind(0, application.id())
            .mapTo(Integer.class)
            .one();
    EncryptionContext row = SealedRows.revision(application.id(), revision);
    handle.execute(
        "INSERT INTO revisions (application_id, revision, spec, spec_hash, workload, graph,"
            + " plan_hash, created_by, created_at)"
            + " VALUES (?, ?, ?::json, ?, ?::json, ?::json, ?, ?, ?)",
        application.id(),
        revision,
        Json.write(context.box().bind(prepared.wanted().spec(), row)),
        context.fingerprint().of(prepared.wanted().spec()),
        Json.write(context.box().bind(prepared.wanted().workload(), row)),
        Json.write(GraphText.tree(GraphShapes.of(prepared, revision))),
        prepared.planned().plan().hash(),
        caller.user(),
        context.now());
    return revision;
  }

  void plan(Plan plan, String team) {
    handle.execute(
        "INSERT INTO plans (hash, environment, application, team, body, created_by, created_at)"
            + " VALUES (?, ?, ?, ?, ?::json, ?, ?)"
            // Young again, and locked: retention does not remove it before this commits.
            + " ON CONFLICT (hash) DO UPDATE SET created_at = excluded.created_at"
            + " WHERE plans.created_at < excluded.created_at - interval '1 hour'",
        plan.hash(),
        plan.environment(),
        plan.application(),
        team,
        Json.write(PlanTree.of(plan)),
        caller.user(),
        context.now());
  }

  /** The revision that is made real from now on. */
  static ApplicationRow inForce(
      Handle handle, ApplicationRow application, int revision, Instant now) {
    handle.execute(
        "UPDATE applications SET revision = ?, version = version + 1, updated_at = ? WHERE id = ?",
        revision,
        now,
        application.id());
    return ApplicationRow.lock(handle, application.id()).orElseThrow();
  }

  /** A teardown that is asked for again tries again what failed. */
  static void retryDeletions(Handle handle, UUID application) {
    handle.execute(
        "UPDATE resources SET attempted_hash = NULL, reason = NULL"
            + " WHERE owner_id = ? AND NOT wanted AND state = ?",
        application,
        ResourceState.FAILED.text());
  }
}
