package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.postgres.runs.RollbackRetries;
import dev.slipway.postgres.runs.RunsKept;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The runs that applications and their resources still need. */
public final class LastRuns implements RunsKept, RollbackRetries.InCharge {
  /** The last run of a resource that exists, the run in charge, and those of an open deployment. */
  private static final String NEEDED =
      """
      SELECT r.id FROM runs r
       WHERE r.id = ANY (:runs)
         AND (EXISTS (SELECT 1 FROM resources x
                       WHERE x.id = r.resource_id
                         AND (x.run_id = r.id
                              OR NOT EXISTS (SELECT 1 FROM runs later
                                              WHERE later.resource_id = r.resource_id
                                                AND later.id > r.id AND later.kind = 'resource')))
              OR EXISTS (SELECT 1 FROM deployments d
                          WHERE d.id = r.deployment_id AND d.status IN ('waiting', 'running')))
      """;

  private static final String IN_CHARGE =
      """
      SELECT run_id = :run AND state IN (:failed, :degraded) FROM resources
       WHERE id = :resource FOR NO KEY UPDATE
      """;

  @Override
  public Set<UUID> among(Handle tx, List<UUID> runs) {
    return new HashSet<>(
        tx.createQuery(NEEDED).bind("runs", runs.toArray(UUID[]::new)).mapTo(UUID.class).list());
  }

  @Override
  public boolean holds(Handle tx, UUID resource, UUID run) {
    return tx.createQuery(IN_CHARGE)
        .bind("run", run)
        .bind("resource", resource)
        .bind("failed", ResourceState.FAILED.text())
        .bind("degraded", ResourceState.DEGRADED.text())
        .mapTo(Boolean.class)
        .findOne()
        .orElse(false);
  }
}
