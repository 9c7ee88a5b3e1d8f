package dev.slipway.applications.store;

import dev.slipway.applications.observe.CorrectionPause;
import dev.slipway.applications.observe.DriftPolicy;
import dev.slipway.applications.observe.LookPlan;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.resolve.AdminConfig.Observe;
import dev.slipway.postgres.Columns;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * What becomes of looks that found resources gone or changed, by the policy of each resource and
 * what was corrected lately.
 */
record LookTreatment(Map<UUID, Of> byResource) {
  private static final String LOOKED_AT =
      """
      SELECT r.id, r.metadata -> 'annotations' ->> :annotation AS written,
             run.created_at, charge.finished_at,
             coalesce(r.gate = 'open' AND r.gate_run = r.run_id, false) AS seen,
             ARRAY(SELECT t.at FROM resource_transitions t
                    WHERE t.resource_id = r.id AND t.actor = 'observer' AND t.to_state = 'updating'
                      AND t.at > :since
                    ORDER BY t.id DESC LIMIT 50) AS corrections
        FROM runs run JOIN resources r ON r.id = run.resource_id
        LEFT JOIN runs charge ON charge.id = r.run_id
       WHERE run.id = ANY (:runs)
      """;

  /**
   * Of one resource.
   *
   * @param early the look came right after a run, which nothing has seen the work of yet
   */
  record Of(Observe.Drift policy, Early early, CorrectionPause pause) {}

  /** Whether a look may have come too early. */
  enum Early {
    YES,
    NO
  }

  static LookTreatment of(ApplicationContext context, Handle handle, Collection<UUID> runs) {
    Observe observe = context.config().get().observe();
    LookPlan plan = new LookPlan(observe.interval(), runs.size());
    Map<UUID, Of> all = new HashMap<>();
    handle
        .createQuery(LOOKED_AT)
        .bind("annotation", DriftPolicy.ANNOTATION)
        .bind("since", context.now().minus(CorrectionPause.COUNTED))
        .bind("runs", runs.toArray(UUID[]::new))
        .map((rs, _) -> all.put(rs.getObject("id", UUID.class), one(rs, plan, observe.drift())))
        .list();
    return new LookTreatment(all);
  }

  private static Of one(ResultSet rs, LookPlan plan, Observe.Drift usual) throws SQLException {
    Instant ended = Columns.timeOrNull(rs, "finished_at");
    boolean early =
        ended != null
            && !rs.getBoolean("seen")
            && !plan.mends(Columns.time(rs, "created_at"), ended);
    return new Of(
        DriftPolicy.of(rs.getString("written"), usual),
        early ? Early.YES : Early.NO,
        CorrectionPause.after(times(rs.getArray("corrections"))));
  }

  private static List<Instant> times(Array array) throws SQLException {
    return Arrays.stream((Timestamp[]) array.getArray()).map(Timestamp::toInstant).toList();
  }

  /** Whether what the look found moves the resource. */
  boolean moves(UUID resource, Effect effect) {
    Of of = byResource.get(resource);
    if (of == null) {
      return true;
    }
    return switch (of.policy()) {
      case REPORT -> true;
      case CORRECT -> of.early() == Early.NO;
      case IGNORE -> effect != Effect.DRIFTED;
    };
  }

  /** Why what was found is not corrected now, though it should be. */
  Optional<CorrectionPause> pause(UUID resource, Instant now) {
    return Optional.ofNullable(byResource.get(resource))
        .filter(of -> of.policy() == Observe.Drift.CORRECT)
        .map(Of::pause)
        .filter(pause -> pause.lasts(now));
  }
}
