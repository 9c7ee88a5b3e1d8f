package dev.slipway.promises;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** What must be true of everything that was written about an application whose life is over. */
final class History {
  private static final String WRONG_RUN_EVENTS =
      """
      SELECT r.id, r.kind, r.state, count(e.id), string_agg(e.type, ' ')
        FROM runs r
        LEFT JOIN events e ON e.application = r.application AND e.data ->> 'runId' = r.id::text
         AND e.type IN ('workflow.completed', 'workflow.failed', 'workflow.cancelled')
       WHERE r.application = ?
       GROUP BY r.id
      HAVING count(e.id) <> 1 OR min(e.data ->> 'status') <> r.state
      """;

  /**
   * No events repeat steps that this run took over from another; a cancel is an event of the run.
   */
  private static final String WRONG_STEP_EVENTS =
      """
      SELECT s.run_id, s.name, s.state, string_agg(e.type, ' ')
        FROM steps s
        JOIN runs r ON r.id = s.run_id
        LEFT JOIN events e ON e.application = r.application AND e.data ->> 'runId' = r.id::text
         AND e.data ->> 'step' = s.name
       WHERE r.application = ?
       GROUP BY s.run_id, s.name
      HAVING (count(*) FILTER (WHERE e.type = 'step.completed'),
              count(*) FILTER (WHERE e.type = 'step.failed'),
              count(*) FILTER (WHERE e.type = 'step.skipped'),
              count(*) FILTER (WHERE e.type = 'step.rolled-back'))
          <> ((s.state IN ('succeeded', 'rolled-back') AND NOT s.carried)::int,
              (s.state = 'failed')::int,
              (s.state = 'skipped')::int,
              (s.state = 'rolled-back')::int)
      """;

  private History() {}

  static void check(Yard yard, String application, String end) {
    assertThat(
            yard.rows(
                "SELECT id, kind, state FROM runs WHERE application = ?"
                    + " AND state IN ('pending', 'running', 'waiting')",
                application))
        .as("runs that never ended")
        .isEmpty();
    assertThat(
            yard.rows(
                "SELECT id, owner, claimable_at FROM runs WHERE application = ?"
                    + " AND (owner IS NOT NULL OR claimable_at IS NOT NULL)",
                application))
        .as("orphan leases")
        .isEmpty();
    assertThat(
            yard.rows(
                "SELECT s.run_id, s.name, s.state FROM steps s JOIN runs r ON r.id = s.run_id"
                    + " WHERE r.application = ? AND s.state IN ('pending', 'running', 'waiting')",
                application))
        .as("steps that never ended")
        .isEmpty();
    assertThat(
            yard.rows(
                "SELECT r.state FROM resources r JOIN applications a ON a.id = r.owner_id"
                    + " WHERE a.name = ?",
                application))
        .as("states of the resources")
        .isNotEmpty()
        .allMatch(end::equals);
    assertThat(chainBreaks(yard, application)).as("transitions that do not follow").isEmpty();
    assertThat(yard.rows(WRONG_RUN_EVENTS, application))
        .as("runs whose end was not appended exactly once, as it was")
        .isEmpty();
    assertThat(yard.rows(WRONG_STEP_EVENTS, application))
        .as("steps whose end was not appended exactly once, as it was")
        .isEmpty();
  }

  private static List<String> chainBreaks(Yard yard, String application) {
    return yard.rows(
        "SELECT * FROM (SELECT t.resource_id, t.from_state, t.to_state,"
            + " lag(t.to_state) OVER (PARTITION BY t.resource_id ORDER BY t.id) AS before"
            + " FROM resource_transitions t JOIN resources r ON r.id = t.resource_id"
            + " JOIN applications a ON a.id = r.owner_id WHERE a.name = ?) AS chain"
            + " WHERE before IS DISTINCT FROM from_state",
        application);
  }
}
