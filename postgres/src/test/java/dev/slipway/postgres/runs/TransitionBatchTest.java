package dev.slipway.postgres.runs;

import static dev.slipway.postgres.runs.RunFixture.LEASE;
import static dev.slipway.postgres.runs.RunFixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunStore.Outcome;
import dev.slipway.engine.execute.RunStore.Owner;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.runs.TransitionBatch.Tenure;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class TransitionBatchTest {
  private static final Owner A = new Owner("a", "1");
  private static Database database;
  private static Notifications notifications;
  private static PostgresRuns runs;

  @BeforeAll
  static void open() {
    database = MigratedDatabase.open();
    notifications = new Notifications(database);
    runs = new PostgresRuns(database, notifications, new SecretBox(new byte[32]));
  }

  @AfterAll
  static void close() {
    runs.close();
    notifications.close();
    database.close();
  }

  @Test
  void a_commit_whose_outcome_was_lost_is_recognised_and_not_written_twice() throws SQLException {
    ClaimedRun run = claimed(RunFixture.run());
    RunWrite write = RunFixture.ends(run, RunState.SUCCEEDED);
    assertThat(commit(write, GroupCommit.Earlier.NONE)).isEqualTo(Outcome.WRITTEN);

    assertThat(commit(write, GroupCommit.Earlier.UNKNOWN)).isEqualTo(Outcome.WRITTEN);
    assertThat(commit(write, GroupCommit.Earlier.NONE)).isEqualTo(Outcome.FENCED);

    assertThat(
            count(
                "SELECT count(*) FROM events WHERE data->>'runId' = ? AND type = 'step.started'",
                run.id()))
        .isEqualTo(1);
  }

  @Test
  void a_lost_commit_of_a_run_that_was_taken_over_meanwhile_counts_as_fenced() throws SQLException {
    ClaimedRun run = claimed(RunFixture.run());
    RunWrite write = RunFixture.steps(run);
    commit(write, GroupCommit.Earlier.NONE);
    runs.claim(new Owner("b", "1"), 1000, NOW.plus(LEASE), LEASE);

    assertThat(commit(write, GroupCommit.Earlier.UNKNOWN)).isEqualTo(Outcome.FENCED);
  }

  /** As a second database that both were made from would hand them out. */
  @Test
  void a_write_of_the_same_epoch_and_version_is_fenced_when_another_owner_sends_it()
      throws SQLException {
    ClaimedRun run = claimed(RunFixture.run());
    RunWrite ours = RunFixture.ends(run, RunState.SUCCEEDED);
    RunWrite theirs = of("b/1", RunFixture.ends(run, RunState.FAILED));

    assertThat(commit(List.of(theirs, ours), GroupCommit.Earlier.NONE))
        .containsExactly(Outcome.FENCED, Outcome.WRITTEN);
    assertThat(text("SELECT state FROM runs WHERE id = ?", run.id())).isEqualTo("succeeded");
  }

  @Test
  void a_run_that_was_given_back_is_written_by_no_former_owner() throws SQLException {
    ClaimedRun run = claimed(RunFixture.run());
    runs.abandon(A, Map.of(run.id(), run.epoch()), NOW);

    assertThat(commit(RunFixture.ends(run, RunState.FAILED), GroupCommit.Earlier.NONE))
        .isEqualTo(Outcome.FENCED);
  }

  @Test
  void a_lost_commit_counts_for_its_own_owner_alone() throws SQLException {
    ClaimedRun run = claimed(RunFixture.run());
    RunWrite write = RunFixture.steps(run);
    commit(write, GroupCommit.Earlier.NONE);

    assertThat(commit(of("b/1", write), GroupCommit.Earlier.UNKNOWN)).isEqualTo(Outcome.FENCED);
    assertThat(commit(write, GroupCommit.Earlier.UNKNOWN)).isEqualTo(Outcome.WRITTEN);
  }

  private static RunWrite of(String owner, RunWrite write) {
    return new RunWrite(
        write.run(),
        new RunStore.Fence(owner, write.epoch()),
        write.version(),
        write.steps(),
        write.attempts(),
        write.change(),
        write.report(),
        RunWrite.Others.NONE,
        write.events(),
        write.at());
  }

  @Test
  void a_former_owner_is_fenced_also_in_one_batch_with_the_present_one() throws SQLException {
    ClaimedRun former = claimed(RunFixture.run());
    ClaimedRun present =
        runs.claim(new Owner("b", "1"), 1000, NOW.plus(LEASE), LEASE).stream()
            .filter(r -> r.id().equals(former.id()))
            .findFirst()
            .orElseThrow();
    RunWrite late = RunFixture.ends(former, RunState.FAILED);
    RunWrite right = RunFixture.ends(present, RunState.SUCCEEDED);

    assertThat(commit(List.of(late, right), GroupCommit.Earlier.NONE))
        .containsExactly(Outcome.FENCED, Outcome.WRITTEN);

    assertThat(text("SELECT state FROM runs WHERE id = ?", former.id())).isEqualTo("succeeded");
    assertThat(
            count(
                "SELECT count(*) FROM events WHERE data->>'runId' = ? AND type = 'step.started'",
                former.id()))
        .isEqualTo(1);
  }

  @Test
  void a_run_signals_its_subject_at_its_first_step_and_at_its_end_and_touches_nothing_else()
      throws SQLException {
    UUID owner = application("shop");
    NewRun run = RunFixture.run(subject(owner), NOW);
    resource(run.subject().nodeId(), owner, run.id());
    ClaimedRun claimed = claimed(run);

    commit(reporting(claimed, 0, Effect.STARTED, null), GroupCommit.Earlier.NONE);
    commit(
        reporting(claimed, 1, Effect.FAILED, StepError.permanent("x", "y", null)),
        GroupCommit.Earlier.NONE);

    assertThat(
            count(
                "SELECT count(*) FROM signals s JOIN runs r ON r.id = s.run"
                    + " AND s.kind = 'application' AND s.key = r.application_id::text"
                    + " AND s.item = r.resource_id::text WHERE r.id = ?",
                run.id()))
        .isEqualTo(2);
    assertThat(state(run)).isEqualTo("requested");
    assertThat(
            count(
                "SELECT count(*) FROM resource_transitions WHERE resource_id = ?",
                run.subject().nodeId()))
        .isZero();
  }

  @Test
  void the_report_of_a_run_is_kept_with_its_end() throws SQLException {
    ClaimedRun claimed = claimed(RunFixture.run(subject(application("blog")), NOW));
    RunWrite end =
        RunFixture.write(
            claimed,
            0,
            Optional.of(
                new RunWrite.RunChange(
                    RunState.FAILED,
                    new RunWrite.Hold.GiveBack(null, 0),
                    Map.of(),
                    Map.of(),
                    null,
                    null,
                    RunWrite.Deadline.RUNS)));

    commit(
        reporting(end, claimed, Effect.ROLLED_BACK, StepError.permanent("x", "y", null)),
        GroupCommit.Earlier.NONE);

    assertThat(
            text(
                "SELECT report ->> 'effect' || ' ' || (report -> 'error' ->> 'code') FROM runs"
                    + " WHERE id = ?",
                claimed.id()))
        .isEqualTo("rolled-back x");
  }

  private static Outcome commit(RunWrite write, GroupCommit.Earlier earlier) throws SQLException {
    return commit(List.of(write), earlier).getFirst();
  }

  private static List<Outcome> commit(List<RunWrite> writes, GroupCommit.Earlier earlier)
      throws SQLException {
    try (Connection connection = database.dataSource().getConnection()) {
      connection.setAutoCommit(false);
      Map<Tenure, Outcome> outcomes =
          new TransitionBatch(connection, new SecretBox(new byte[32]), writes).commit(earlier);
      return writes.stream().map(w -> outcomes.get(Tenure.of(w))).toList();
    }
  }

  private static RunWrite reporting(ClaimedRun run, long version, Effect effect, StepError error) {
    return reporting(RunFixture.write(run, version, Optional.empty()), run, effect, error);
  }

  private static RunWrite reporting(
      RunWrite plain, ClaimedRun run, Effect effect, StepError error) {
    return new RunWrite(
        plain.run(),
        plain.fence(),
        plain.version(),
        plain.steps(),
        plain.attempts(),
        plain.change(),
        Optional.of(new RunWrite.Report(run.subject().key(), effect, "a test", error)),
        RunWrite.Others.NONE,
        plain.events(),
        NOW);
  }

  private static NewRun.Subject subject(UUID application) {
    NodeRef node = new NodeRef("resource", "shop:db", "default");
    return new NewRun.Subject(
        NewRun.Part.of(new NodeRef("application", "shop", "default"), application),
        new NewRun.Part(node, UUID.randomUUID(), "db", "postgres"),
        null,
        null);
  }

  private static ClaimedRun claimed(NewRun run) {
    runs.insert(List.of(run));
    return runs.claim(A, 1000, NOW, LEASE).stream()
        .filter(r -> r.id().equals(run.id()))
        .findFirst()
        .orElseThrow();
  }

  private static UUID application(String name) {
    UUID id = UUID.randomUUID();
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "INSERT INTO applications (id, environment, name, team, revision, state,"
                        + " created_by, created_at, updated_at) VALUES (?, 'default', ?, 'team', 1,"
                        + " 'requested', 'x', ?, ?)",
                    id,
                    name,
                    NOW,
                    NOW));
    return id;
  }

  private static void resource(UUID id, UUID owner, UUID run) {
    database
        .jdbi()
        .useHandle(
            h -> {
              h.execute(
                  "INSERT INTO resources (id, environment, identity, type, class, owner_id,"
                      + " defined_by, name, team, desired_hash, attempted_hash, state, state_since,"
                      + " run_id, created_at, updated_at) VALUES (?, 'default', ?, 'postgres',"
                      + " 'default', ?, ?, 'db', 'team', 'd', 'attempted', 'requested', ?, ?, ?,"
                      + " ?)",
                  id,
                  "postgres.default#" + id,
                  owner,
                  owner,
                  NOW,
                  run,
                  NOW,
                  NOW);
            });
  }

  private static String state(NewRun run) {
    return text("SELECT state FROM resources WHERE id = ?", run.subject().nodeId());
  }

  private static String text(String sql, UUID id) {
    return database
        .jdbi()
        .withHandle(h -> h.createQuery(sql).bind(0, id).mapTo(String.class).one());
  }

  private static int count(String sql, UUID id) {
    return database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery(sql.contains("->>") ? sql.replace("= ?", "= ?::text") : sql)
                    .bind(0, id)
                    .mapTo(Integer.class)
                    .one());
  }
}
