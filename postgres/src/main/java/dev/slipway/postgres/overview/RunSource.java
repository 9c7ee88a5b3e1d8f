package dev.slipway.postgres.overview;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunDiagnosis;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.NodeView;
import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.nodes.NodeSource;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Runs as nodes. A run waits for the child runs and the rollback that have not succeeded. */
public final class RunSource implements NodeSource {
  /** The newest child of each step, because earlier attempts of a step are not why it waits. */
  private static final String RUNS =
      """
      SELECT runs.id, runs.kind, runs.team, runs.provider, runs.workflow, runs.state, runs.owner,
             runs.claimable_at, runs.cancel, runs.error, runs.rollback,
             coalesce(runs.finished_at, runs.created_at) AS since, %s,
             s.name AS step, s.state AS step_state, s.attempt, s.waiting_for, s.wake_at,
             s.started_at, s.error AS step_error, p.id AS approval,
             ARRAY(SELECT DISTINCT ON (c.kind, c.parent_step) c.id::text || ' ' || c.state
                     FROM runs c
                    WHERE c.parent_run_id = runs.id AND c.kind IN ('child', 'rollback')
                    ORDER BY c.kind, c.parent_step, c.created_at DESC, c.id DESC LIMIT 1000) AS made
        FROM runs
        LEFT JOIN LATERAL (
          SELECT * FROM steps WHERE run_id = runs.id
             AND (state IN ('running', 'waiting', 'failed') OR wake_at IS NOT NULL)
           ORDER BY CASE state WHEN 'waiting' THEN 0 WHEN 'failed' THEN 1 ELSE 2 END,
                    started_at DESC NULLS LAST LIMIT 1) AS s ON true
        LEFT JOIN approvals p ON p.run_id = runs.id AND p.step = s.name AND p.state = 'pending'
       WHERE runs.id = ANY (:ids)
      """
          .formatted(RunList.NEWEST_ROLLBACK);

  private final InstantSource clock;

  public RunSource(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public List<NodeKind> kinds() {
    return List.of(TrunkKinds.RUN);
  }

  @Override
  public Map<NodeRef, NodeView> find(Handle tx, Set<NodeRef> refs) {
    UUID[] ids = refs.stream().flatMap(ref -> id(ref).stream()).toArray(UUID[]::new);
    Map<NodeRef, NodeView> found = new HashMap<>();
    tx.createQuery(RUNS)
        .bindByType("ids", ids, UUID[].class)
        .map((rs, _) -> view(rs))
        .forEach(view -> found.put(view.node(), view));
    return found;
  }

  private static Optional<UUID> id(NodeRef ref) {
    try {
      UUID id = UUID.fromString(ref.name());
      return TrunkKinds.RUN.ref(id.toString()).equals(ref) ? Optional.of(id) : Optional.empty();
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private NodeView view(ResultSet rs) throws SQLException {
    RunDiagnosis.Facts facts = facts(rs);
    return new NodeView(
        TrunkKinds.RUN.ref(facts.id()),
        Optional.of(rs.getString("team")),
        facts.state().text(),
        Optional.empty(),
        facts.state() == RunState.SUCCEEDED ? List.of() : unfinished(rs),
        RunDiagnosis.of(facts, clock.instant()));
  }

  private static List<NodeRef> unfinished(ResultSet rs) throws SQLException {
    return Arrays.stream((Object[]) rs.getArray("made").getArray())
        .map(each -> String.valueOf(each).split(" "))
        .filter(each -> !each[1].equals(RunState.SUCCEEDED.text()))
        .map(each -> TrunkKinds.RUN.ref(each[0]))
        .toList();
  }

  private static RunDiagnosis.Facts facts(ResultSet rs) throws SQLException {
    return new RunDiagnosis.Facts(
        rs.getString("id"),
        State.parse(NewRun.Kind.class, rs.getString("kind")),
        rs.getString("provider") + "/" + rs.getString("workflow"),
        State.parse(RunState.class, rs.getString("state")),
        Objects.requireNonNull(Columns.timeOrNull(rs, "since")),
        step(rs),
        new RunDiagnosis.Claim(
            Optional.ofNullable(rs.getString("owner")),
            Optional.ofNullable(Columns.timeOrNull(rs, "claimable_at"))),
        problem(rs.getString("error")),
        new RunDiagnosis.Ending(
            rs.getString("cancel") != null,
            Optional.ofNullable(RunRows.rollback(rs)).map(RunWrite.Rollback::text)));
  }

  private static Optional<RunDiagnosis.Step> step(ResultSet rs) throws SQLException {
    if (rs.getString("step") == null) {
      return Optional.empty();
    }
    return Optional.of(
        new RunDiagnosis.Step(
            rs.getString("step"),
            State.parse(StepState.class, rs.getString("step_state")),
            rs.getInt("attempt"),
            Optional.ofNullable(rs.getString("waiting_for")),
            Optional.ofNullable(Columns.timeOrNull(rs, "wake_at")),
            Optional.ofNullable(Columns.timeOrNull(rs, "started_at")),
            problem(rs.getString("step_error")),
            Optional.ofNullable(rs.getString("approval"))));
  }

  private static Optional<RunDiagnosis.Problem> problem(@Nullable String json) {
    return Optional.ofNullable(json)
        .map(Json::readMap)
        .map(
            error ->
                new RunDiagnosis.Problem(
                    String.valueOf(error.get("code")), String.valueOf(error.get("message"))));
  }
}
