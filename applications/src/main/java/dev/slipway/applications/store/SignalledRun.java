package dev.slipway.applications.store;

import dev.slipway.postgres.reconcile.Wake;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * A run that has begun or ended, and the resource that it works on.
 *
 * @param undone it has failed, and a run of its own undoes it or has done so
 * @param gated the gate of its resource waits, or gave up waiting
 * @param well it found the resource as it was left
 */
record SignalledRun(
    UUID run,
    UUID resource,
    UUID owner,
    boolean look,
    boolean inCharge,
    boolean undone,
    boolean gated,
    boolean well) {

  /** Whether it changes nothing for its resource unless it has something to report. */
  boolean onlyReports() {
    return look && !gated || inCharge && !undone;
  }

  static List<SignalledRun> of(Handle tx, Wake wake) {
    if (wake.runs().isEmpty()) {
      return List.of();
    }
    return tx.createQuery(
            """
            SELECT run.id, r.id, r.owner_id, run.operation = 'read', run.id = r.run_id,
                   run.rollback IS NOT NULL,
                   coalesce(r.gate IN ('waiting', 'failed') AND r.gate_run = r.run_id, false),
                   coalesce(run.report ->> 'effect' = 'as-left', false)
              FROM runs run JOIN resources r ON r.id = run.resource_id
             WHERE run.id = ANY (:runs)
            """)
        .bind("runs", wake.runs().toArray(UUID[]::new))
        .map(
            (rs, c) ->
                new SignalledRun(
                    rs.getObject(1, UUID.class),
                    rs.getObject(2, UUID.class),
                    rs.getObject(3, UUID.class),
                    rs.getBoolean(4),
                    rs.getBoolean(5),
                    rs.getBoolean(6),
                    rs.getBoolean(7),
                    rs.getBoolean(8)))
        .list();
  }
}
