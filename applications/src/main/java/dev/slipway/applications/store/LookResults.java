package dev.slipway.applications.store;

import dev.slipway.applications.observe.DriftPolicy;
import dev.slipway.engine.health.Sample;
import dev.slipway.postgres.reconcile.Signals;
import dev.slipway.postgres.runs.Retention;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** What runs have found that looked at resources: samples, and work for applications. */
record LookResults(ApplicationContext context, Handle tx) {
  private static final String LOOKS =
      """
      SELECT r.id, r.name, r.identity, r.type, r.environment, r.team, a.name AS application,
             r.owner_id, r.state, r.reason ->> 'code' AS reason, r.applied_params IS NOT NULL AS applied,
             coalesce(r.gate IN ('waiting', 'failed') AND r.gate_run = r.run_id, false) AS gated,
             r.run_id, r.reported_run, coalesce(r.applied_hash, '') AS revision,
             r.metadata -> 'annotations' ->> :annotation AS drift,
             run.id AS look, run.cause, run.report, run.created_at, charge.finished_at,
             charge.state AS attempt
        FROM runs run
        JOIN resources r ON r.id = run.resource_id
        JOIN applications a ON a.id = r.owner_id
        LEFT JOIN runs charge ON charge.id = r.run_id
       WHERE run.id = ANY (:runs) AND run.operation = 'read' AND run.report IS NOT NULL
      """;

  /** In a turn that is not the application's: what moves a resource is left to that one. */
  void follow(Collection<UUID> runs) throws SQLException {
    List<LookRow> looks = looks(runs);
    Signals.items(
        tx,
        ApplicationKey.KIND,
        looks.stream().filter(LookRow::concernsApplication).map(LookRow::item).toList(),
        context.now());
    keep(
        looks.stream().filter(l -> !l.concernsApplication()).toList(),
        new ResourceSamples(context, tx));
  }

  /** In the turn of the application, which has moved its resources and decides afterwards. */
  void keepAll(Collection<UUID> runs, ResourceSamples samples) throws SQLException {
    keep(looks(runs), samples);
  }

  /** Keeps the samples; the rows of looks that the schedule made go. */
  private void keep(List<LookRow> looks, ResourceSamples kept) throws SQLException {
    Map<ResourceSamples.About, Sample> samples = new LinkedHashMap<>();
    looks.stream()
        .filter(l -> l.of().standing())
        .forEach(l -> samples.merge(l.about(), l.sample(), Sample::later));
    Instant now = context.now();
    LookQueue.ask(
        tx, looks.stream().filter(l -> l.early(now)).map(l -> l.about().id()).toList(), now);
    kept.write(samples);
    Retention.remove(
        tx,
        looks.stream()
            .filter(l -> l.origin() == LookRow.Origin.SCHEDULE)
            .map(LookRow::run)
            .toList());
  }

  private List<LookRow> looks(Collection<UUID> runs) {
    return runs.isEmpty()
        ? List.of()
        : tx.createQuery(LOOKS)
            .bind("annotation", DriftPolicy.ANNOTATION)
            .bind("runs", runs.toArray(UUID[]::new))
            .map((rs, _) -> LookRow.of(rs, context.config().get().observe().drift()))
            .list();
  }
}
