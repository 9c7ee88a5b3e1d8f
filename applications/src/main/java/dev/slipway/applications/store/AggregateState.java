package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceLifecycle;
import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.progress.Situation;
import dev.slipway.engine.lifecycle.State;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * What is true of an application with resources of its own, found by a few looks into an index and
 * not by a look at each resource.
 */
final class AggregateState {
  /** So many requested resources are asked for their runs. */
  private static final int ASKED = 200;

  private static final String MOVING =
      """
      SELECT EXISTS (
               SELECT 1 FROM resources r JOIN runs run ON run.id = r.run_id
                WHERE r.owner_id = :id AND r.state IN ('provisioning', 'updating', 'deprovisioning')
                  AND r.state NOT IN ('active', 'deleted') AND NOT r.detached
                  AND run.finished_at IS NULL
                  AND (r.wanted OR r.state = 'deprovisioning' OR run.epoch > 0))
          OR EXISTS (
               SELECT 1
                 FROM (SELECT run_id FROM resources
                        WHERE owner_id = :id AND state = 'requested'
                          AND state NOT IN ('active', 'deleted') AND wanted AND NOT detached
                        LIMIT :asked) AS asked
                 JOIN runs run ON run.id = asked.run_id
                WHERE run.finished_at IS NULL)
          OR EXISTS (
               SELECT 1 FROM resources
                WHERE owner_id = :id AND gate = 'waiting' AND gate_run = run_id
                  AND state IN ('active', 'degraded') AND NOT detached AND wanted
                  AND id <> ALL (:judged))
      """;

  private static final String STATES =
      """
      SELECT s.state
        FROM unnest(ARRAY['deprovisioning', 'updating', 'provisioning', 'failed', 'degraded',
                          'requested']) AS s (state)
       WHERE EXISTS (SELECT 1 FROM resources r
                      WHERE r.owner_id = :id AND r.state = s.state
                        AND r.state NOT IN ('active', 'deleted') AND NOT r.detached)
      """;

  private AggregateState() {}

  /**
   * Whether it is certain that a run works on one of its resources, or that a gate of one waits for
   * a look. A false answer may be wrong: it costs a look at everything.
   *
   * @param judged resources whose gates this turn has judged, which is not written yet
   */
  static boolean moving(Handle handle, UUID application, Collection<UUID> judged) {
    return handle
        .createQuery(MOVING)
        .bind("id", application)
        .bind("asked", ASKED)
        .bind("judged", judged.toArray(UUID[]::new))
        .mapTo(Boolean.class)
        .one();
  }

  /** Its state while a run works on one of its resources. */
  static ResourceState state(Handle handle, UUID application, Situation.Phase phase) {
    if (phase == Situation.Phase.TEARDOWN) {
      return ResourceState.DEPROVISIONING;
    }
    List<ResourceState> states =
        handle
            .createQuery(STATES)
            .bind("id", application)
            .map((rs, _) -> State.parse(ResourceState.class, rs.getString(1)))
            .list();
    return ResourceLifecycle.ofApplication(states);
  }
}
