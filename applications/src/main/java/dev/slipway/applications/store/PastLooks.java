package dev.slipway.applications.store;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.store.LookQueue.Due;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Sample;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.health.NodeHealth;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** What earlier looks and runs say about when resources were seen. */
record PastLooks(Handle tx) {
  /**
   * When looks began that make another one needless: those under way, such as one that a gate has
   * begun, and for those that are asked for also the last one that has ended.
   */
  Map<UUID, Instant> began(Collection<KnownResource> resources, List<Due> due) throws SQLException {
    Map<UUID, Instant> began = new HashMap<>();
    tx.createQuery(
            "SELECT resource_id, max(created_at) FROM runs WHERE resource_id = ANY (:ids)"
                + " AND operation = 'read' AND kind = 'resource' AND finished_at IS NULL"
                + " GROUP BY resource_id")
        .bind("ids", resources.stream().map(KnownResource::id).toArray(UUID[]::new))
        .map((rs, _) -> began.put(rs.getObject(1, UUID.class), Columns.time(rs, "max")))
        .list();
    Map<UUID, Due> asked = new HashMap<>();
    due.stream().filter(d -> d.asked().isPresent()).forEach(d -> asked.put(d.resource(), d));
    Map<NodeRef, Observation> seen =
        NodeHealth.find(
            tx,
            resources.stream()
                .filter(r -> asked.containsKey(r.id()))
                .map(r -> r.health().node())
                .toList());
    for (KnownResource resource : resources) {
      Due of = asked.get(resource.id());
      Observation known = seen.get(resource.health().node());
      if (of != null && known != null && read(known.sample()) && of.servedBy(known.sample().at())) {
        began.putIfAbsent(resource.id(), known.sample().at());
      }
    }
    return began;
  }

  private static boolean read(Sample sample) {
    return sample.rule().equals(LookRow.READ);
  }

  /** When the last attempts succeeded; without those that did not. */
  Map<UUID, Instant> succeeded(Collection<KnownResource> resources) {
    Map<UUID, Instant> ends = new HashMap<>();
    tx.createQuery(
            "SELECT r.id, run.finished_at FROM resources r JOIN runs run ON run.id = r.run_id"
                + " WHERE r.id = ANY (:ids) AND run.state IN ('succeeded', 'partial')")
        .bind("ids", resources.stream().map(KnownResource::id).toArray(UUID[]::new))
        .map((rs, _) -> ends.put(rs.getObject(1, UUID.class), Columns.time(rs, "finished_at")))
        .list();
    return ends;
  }
}
