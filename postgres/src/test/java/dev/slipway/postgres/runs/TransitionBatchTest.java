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
import dev.slipway.engine.execute.RunWrite.ResourceChange;
import dev.slipway.engine.execute.RunWrite.ResourceChange.Effect;
import dev.slipway.engine.execute.StepError;
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
        write.resource(),
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
  void a_resource_moves_with_its_run_and_every_user_of_it_is_woken() throws SQLException {
    UUID owner = application("shop");
    UUID other = application("blog");
    NewRun run = RunFixture.run(subject(owner), NOW);
    resource(run.subject().resource(), owner, run.id());
    use(run.subject().resource(), other);
    ClaimedRun claimed = claimed(run);

    commit(moving(claimed, 0, Effect.STARTED, null), GroupCommit.Earlier.NONE);
    assertThat(state(run)).isEqualTo("provisioning");
    commit(moving(claimed, 1, Effect.SUCCEEDED, null), GroupCommit.Earlier.NONE);

    assertThat(state(run)).isEqualTo("active");
    assertThat(
            text("SELECT outputs->>'host' FROM resources WHERE id = ?", run.subject().resource()))
        .isEqualTo("db.local");
    assertThat(
            text(
                "SELECT applied_hash FROM resources WHERE id = ? AND ever_active AND ever_started",
                run.subject().resource()))
        .isEqualTo("attempted");
    assertThat(
            count(
                "SELECT count(*) FROM resource_transitions WHERE resource_id = ?",
                run.subject().resource()))
        .isEqualTo(2);
    assertThat(count("SELECT count(*) FROM signals WHERE key = ?::text", owner)).isEqualTo(2);
    assertThat(count("SELECT count(*) FROM signals WHERE key = ?::text", other)).isEqualTo(2);
    assertThat(
            count(
                "SELECT count(*) FROM events WHERE type = 'resource.active' AND data->>'runId' = ?",
                run.id()))
        .isEqualTo(1);
  }

  @Test
  void a_run_that_is_not_in_charge_any_more_moves_nothing() throws SQLException {
    UUID owner = application("wiki");
    NewRun run = RunFixture.run(subject(owner), NOW);
    resource(run.subject().resource(), owner, UUID.randomUUID());

    commit(
        moving(claimed(run), 0, Effect.FAILED, StepError.permanent("x", "y", null)),
        GroupCommit.Earlier.NONE);

    assertThat(state(run)).isEqualTo("requested");
  }

  @Test
  void a_run_that_fails_before_any_step_leaves_the_resource_as_never_started() throws SQLException {
    UUID owner = application("docs");
    NewRun run = RunFixture.run(subject(owner), NOW);
    resource(run.subject().resource(), owner, run.id());

    commit(
        moving(claimed(run), 0, Effect.FAILED, StepError.permanent("template", "no", null)),
        GroupCommit.Earlier.NONE);

    assertThat(state(run)).isEqualTo("failed");
    assertThat(
            text(
                "SELECT reason->>'code' FROM resources WHERE id = ? AND NOT ever_started",
                run.subject().resource()))
        .isEqualTo("template");
  }

  @Test
  void a_look_that_found_drift_degrades_until_a_look_finds_none() throws SQLException {
    NewRun look = looked("drifting", "active", null, "db.local");
    StepError drift = StepError.permanent("drift", "not as it was left: host", null);

    commit(moving(claimed(look), 0, Effect.DRIFTED, drift), GroupCommit.Earlier.NONE);
    assertThat(state(look)).isEqualTo("degraded");
    NewRun again = RunFixture.run(look.subject(), NOW);
    commit(moving(claimed(again), 0, Effect.AS_LEFT, null), GroupCommit.Earlier.NONE);

    assertThat(state(look)).isEqualTo("active");
    UUID id = look.subject().resource();
    assertThat(
            text(
                "SELECT outputs ->> 'host' || ' ' || run_id || applied_hash FROM resources"
                    + " WHERE id = ? AND reason IS NULL",
                id))
        .isEqualTo("db.local " + new UUID(0, 1) + "applied");
    assertThat(
            text(
                "SELECT string_agg(actor || ' ' || from_state || ' ' || to_state, ', ' ORDER BY id)"
                    + " FROM resource_transitions WHERE resource_id = ?",
                id))
        .isEqualTo("observer active degraded, observer degraded active");
  }

  @Test
  void a_look_at_what_has_changed_since_moves_nothing() throws SQLException {
    NewRun look = looked("moved-on", "active", null, "elsewhere.local");
    StepError drift = StepError.permanent("drift", "not as it was left: host", null);

    commit(moving(claimed(look), 0, Effect.DRIFTED, drift), GroupCommit.Earlier.NONE);

    assertThat(state(look)).isEqualTo("active");
  }

  @Test
  void a_look_moves_only_what_stands_and_mends_only_drift() throws SQLException {
    for (String state : List.of("provisioning", "updating", "failed", "deprovisioning")) {
      NewRun look = looked("in-" + state, state, null, "db.local");
      StepError drift = StepError.permanent("drift", "not as it was left: host", null);
      commit(moving(claimed(look), 0, Effect.DRIFTED, drift), GroupCommit.Earlier.NONE);
      assertThat(state(look)).isEqualTo(state);
    }
    NewRun look = looked("undone", "degraded", "step", "db.local");
    commit(moving(claimed(look), 0, Effect.AS_LEFT, null), GroupCommit.Earlier.NONE);
    assertThat(state(look)).isEqualTo("degraded");
  }

  /** A run that looks at a resource which another run has made. */
  private static NewRun looked(String application, String state, String reason, String host) {
    UUID owner = application(application);
    NewRun look = RunFixture.run(subject(owner), NOW);
    resource(look.subject().resource(), owner, new UUID(0, 1));
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "UPDATE resources SET state = ?, outputs = jsonb_build_object('host', ?::text),"
                        + " applied_hash = 'applied', reason = CASE WHEN ?::text IS NOT NULL"
                        + " THEN jsonb_build_object('code', ?::text) END WHERE id = ?",
                    state,
                    host,
                    reason,
                    reason,
                    look.subject().resource()));
    return look;
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

  private static RunWrite moving(ClaimedRun run, long version, Effect effect, StepError error) {
    RunWrite plain = RunFixture.write(run, version, Optional.empty());
    return new RunWrite(
        plain.run(),
        plain.fence(),
        plain.version(),
        plain.steps(),
        plain.attempts(),
        plain.change(),
        Optional.of(
            new ResourceChange(
                run.subject().resource(),
                effect,
                "a test",
                error,
                effect == Effect.SUCCEEDED || effect.observes()
                    ? Map.of("host", "db.local")
                    : null)),
        plain.events(),
        NOW);
  }

  private static NewRun.Subject subject(UUID application) {
    return new NewRun.Subject(application, "shop", UUID.randomUUID(), "db", "postgres", null);
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
    use(id, owner);
  }

  private static void use(UUID resource, UUID application) {
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "INSERT INTO resource_users (resource_id, application_id, name, since) VALUES"
                        + " (?, ?, 'db', ?)",
                    resource,
                    application,
                    NOW));
  }

  private static String state(NewRun run) {
    return text("SELECT state FROM resources WHERE id = ?", run.subject().resource());
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
