package dev.slipway.promises;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** What must be true of everything that was written about an application whose life is over. */
final class History {
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
        .as("state of the resource")
        .containsExactly(end);
    assertThat(chainBreaks(yard, application)).as("transitions that do not follow").isEmpty();
    assertThat(
            yard.rows(
                "SELECT data ->> 'runId', count(*) FROM events WHERE application = ?"
                    + " AND type IN ('workflow.completed', 'workflow.failed', 'workflow.cancelled')"
                    + " GROUP BY 1 HAVING count(*) <> 1",
                application))
        .as("runs whose end was not told exactly once")
        .isEmpty();
    assertThat(
            yard.rows(
                "SELECT data ->> 'runId', data ->> 'step', count(*) FROM events"
                    + " WHERE application = ? AND type = 'step.completed'"
                    + " GROUP BY 1, 2 HAVING count(*) <> 1",
                application))
        .as("steps whose end was told twice")
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
