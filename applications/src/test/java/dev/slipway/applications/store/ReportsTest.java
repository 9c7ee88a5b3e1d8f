package dev.slipway.applications.store;

import static dev.slipway.applications.store.ApplicationStoreTest.SHOP;
import static dev.slipway.applications.store.Yard.ANN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.execute.StepError;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReportsTest {
  private static final StepError DRIFT =
      StepError.permanent("drift", "not as it was left: host", null);
  private static final Yard yard = new Yard();

  @BeforeEach
  void reset() {
    yard.reset(new TestProviders().full("acme", "postgres", "service").registry());
  }

  @AfterAll
  static void close() {
    yard.close();
  }

  private static ClaimedRun deployed() {
    yard.deploy(SHOP);
    return yard.claim().getFirst();
  }

  private static String state() {
    return yard.states().get("db");
  }

  private static long count(String sql) {
    return yard.database.jdbi().withHandle(h -> h.createQuery(sql).mapTo(Long.class).one());
  }

  private static void sql(String statement) {
    yard.database.jdbi().useHandle(h -> h.execute(statement));
  }

  @Test
  void a_resource_moves_one_turn_after_its_run() {
    ClaimedRun run = deployed();
    yard.begin(run);
    assertThat(state()).isEqualTo("requested");
    yard.loop.advanceDue();
    assertThat(state()).isEqualTo("provisioning");
    yard.end(run);
    assertThat(state()).isEqualTo("provisioning");
    yard.loop.advanceDue();
    assertThat(state()).isEqualTo("active");
    assertThat(yard.output("db", "host")).isEqualTo("db.local");
    assertThat(
            count(
                "SELECT count(*) FROM resources WHERE name = 'db' AND ever_active AND ever_started"
                    + " AND applied_hash = attempted_hash AND reported_run = run_id"))
        .isEqualTo(1);
  }

  @Test
  void a_run_that_began_and_ended_before_the_turn_leaves_both_transitions() {
    yard.end(yard.begin(deployed()));
    yard.loop.advanceDue();
    assertThat(state()).isEqualTo("active");
    assertThat(yard.events())
        .containsSubsequence("resource.created", "resource.provisioning", "resource.active");
    assertThat(
            count(
                "SELECT count(*) FROM resource_transitions t JOIN resources r ON r.id ="
                    + " t.resource_id WHERE r.name = 'db' AND t.run_id = r.run_id AND t.epoch = 1"))
        .isEqualTo(2);
  }

  @Test
  void a_report_is_applied_once() {
    yard.end(yard.begin(deployed()));
    yard.loop.advanceDue();
    sql(
        "INSERT INTO signals (kind, key, item, run, at)"
            + " SELECT 'application', owner_id::text, id::text, run_id, now() FROM resources");
    yard.loop.advanceDue();
    assertThat(yard.events().stream().filter("resource.active"::equals)).hasSize(1);
  }

  @Test
  void a_run_that_is_not_in_charge_any_more_moves_nothing() {
    ClaimedRun run = deployed();
    sql("UPDATE resources SET run_id = gen_random_uuid() WHERE name = 'db'");
    yard.begin(run);
    yard.end(run);
    yard.loop.advanceDue();
    assertThat(state()).isNotEqualTo("active");
    assertThat(yard.events()).doesNotContain("resource.active");
  }

  @Test
  void a_run_that_fails_before_any_step_leaves_the_resource_as_never_started() {
    yard.refused(deployed());
    yard.loop.advanceDue();
    assertThat(state()).isEqualTo("failed");
    assertThat(
            count(
                "SELECT count(*) FROM resources WHERE name = 'db' AND NOT ever_started"
                    + " AND reason ->> 'code' = 'unusable'"))
        .isEqualTo(1);
  }

  @Test
  void a_request_that_comes_before_the_turn_applies_the_report_itself() {
    yard.broken.add("create db");
    yard.end(yard.begin(deployed()));
    yard.broken.clear();

    yard.deploy(SHOP.replace("size: 1", "size: 2"));

    assertThat(yard.events()).containsSubsequence("resource.provisioning", "resource.failed");
    yard.settle();
    assertThat(state()).isEqualTo("active");
    assertThat(yard.events().stream().filter("resource.failed"::equals)).hasSize(1);
  }

  @Test
  void a_retry_that_comes_before_the_turn_applies_the_report_itself() {
    yard.broken.add("create db");
    yard.end(yard.begin(deployed()));
    yard.broken.clear();

    assertThat(yard.resources.retry(ANN, yard.resource("db").id())).isPresent();
    yard.settle();
    assertThat(state()).isEqualTo("active");
  }

  @Test
  void a_reader_sees_a_run_without_an_applied_report_as_one_that_still_works() throws Exception {
    yard.end(yard.begin(deployed()));
    UUID id = yard.resource("db").id();
    KnownResource found =
        yard.database
            .jdbi()
            .withHandle(h -> KnownResources.load(h.getConnection(), new UUID[] {id}))
            .resources()
            .getFirst();
    assertThat(found.busy()).isTrue();
  }

  @Test
  void every_application_that_uses_what_has_moved_has_its_turn() {
    yard.end(yard.begin(deployed()));
    UUID other = UUID.randomUUID();
    sql(
        "INSERT INTO applications (id, environment, name, team, revision, state, created_by,"
            + " created_at, updated_at) VALUES ('%s', 'default', 'other', 'shop-team', 1,"
                .formatted(other)
            + " 'requested', 'x', now(), now())");
    sql(
        "INSERT INTO resource_users (resource_id, application_id, name, since)"
            + " SELECT id, '%s', 'db', now() FROM resources WHERE name = 'db'".formatted(other));
    sql("DELETE FROM signals WHERE key = '" + other + "'");

    assertThat(yard.loop.advanceDue()).isEqualTo(1);

    assertThat(count("SELECT count(*) FROM signals WHERE key = '" + other + "'")).isPositive();
  }

  @Test
  void the_end_of_a_run_reaches_the_application_that_owns_its_resource_by_now() {
    ClaimedRun run = deployed();
    sql(
        "INSERT INTO applications (id, environment, name, team, revision, state, created_by,"
            + " created_at, updated_at) SELECT gen_random_uuid(), 'default', 'heir', team, 1,"
            + " 'requested', 'x', now(), now() FROM applications");
    sql(
        "UPDATE resources SET owner_id = (SELECT id FROM applications WHERE name = 'heir')"
            + " WHERE name = 'db'");
    sql("DELETE FROM resource_users");
    sql("DELETE FROM resource_dependencies");
    yard.begin(run);
    yard.end(run);
    for (int i = 0; i < 5; i++) {
      yard.loop.advanceDue();
    }
    assertThat(state()).isEqualTo("active");
  }

  private static ClaimedRun look() {
    yard.deploy(SHOP);
    yard.settle();
    yard.resources.refresh(ANN, yard.resource("db").id());
    return yard.claim().getFirst();
  }

  @Test
  void a_look_that_found_drift_degrades_until_a_look_finds_none() {
    yard.looked(look(), Effect.DRIFTED, DRIFT);
    yard.settle();
    assertThat(state()).isEqualTo("degraded");
    assertThat(yard.output("db", "host")).isEqualTo("db.local");

    yard.clock.advance(Duration.ofSeconds(1));
    yard.resources.refresh(ANN, yard.resource("db").id());
    yard.looked(yard.claim().getFirst(), Effect.AS_LEFT, null);
    yard.settle();

    assertThat(state()).isEqualTo("active");
    assertThat(
            count(
                "SELECT count(*) FROM resource_transitions WHERE actor = 'observer'"
                    + " AND run_id IS NOT NULL"))
        .isEqualTo(2);
    assertThat(count("SELECT count(*) FROM resources WHERE name = 'db' AND reason IS NULL"))
        .isEqualTo(1);
  }

  @Test
  void a_look_at_what_has_changed_since_moves_nothing() {
    ClaimedRun look = look();
    sql("UPDATE resources SET outputs = '{\"host\": \"elsewhere.local\"}' WHERE name = 'db'");
    yard.looked(look, Effect.DRIFTED, DRIFT);
    yard.loop.advanceDue();
    assertThat(state()).isEqualTo("active");
  }

  @Test
  void a_look_mends_only_drift() {
    ClaimedRun look = look();
    moved("active", "degraded", "observer");
    sql("UPDATE resources SET reason = '{\"code\": \"step\"}' WHERE name = 'db'");
    yard.looked(look, Effect.AS_LEFT, null);
    yard.loop.advanceDue();
    assertThat(state()).isEqualTo("degraded");
  }

  /** As a writer of schema 9 moves a resource, with its history. */
  private static void moved(String from, String to, String actor) {
    yard.database
        .jdbi()
        .useTransaction(
            h -> {
              int moved =
                  h.execute(
                      "INSERT INTO resource_transitions (resource_id, incarnation, from_state,"
                          + " to_state, actor, reason, at) SELECT id, 1, state, ?, ?, 'old',"
                          + " now() FROM resources WHERE name = 'db' AND state = ?",
                      to,
                      actor,
                      from);
              if (moved == 1) {
                h.execute(
                    "UPDATE resources SET state = ?, ever_started = true,"
                        + " applied_hash = attempted_hash, applied_params = attempted_params"
                        + " WHERE name = 'db'",
                    to);
              }
            });
  }

  /** As the writer of a replica of schema 9: it moves the resource itself and reports nothing. */
  private static void endedBySchema9(ClaimedRun run) {
    sql(
        ("UPDATE runs SET state = 'succeeded', version = version + 1, owner = NULL,"
                + " claimable_at = NULL, finished_at = now(), outputs = '{\"host\": \"old.local\"}'"
                + " WHERE id = '%s'")
            .formatted(run.id()));
    moved("provisioning", "active", "engine");
    sql(
        "INSERT INTO wakeups (application_id, at) SELECT owner_id, now() - interval '1 h'"
            + " FROM resources WHERE name = 'db'");
  }

  @Test
  void a_run_that_a_replica_of_schema_9_began_and_this_one_ended_moves_its_resource() {
    ClaimedRun run = deployed();
    sql("UPDATE runs SET version = 1 WHERE id = '%s'".formatted(run.id()));
    moved("requested", "provisioning", "engine");
    yard.end(run);
    yard.loop.advanceDue();
    assertThat(state()).isEqualTo("active");
  }

  @Test
  void a_run_that_this_replica_began_and_one_of_schema_9_ended_moves_its_resource() {
    ClaimedRun run = yard.begin(deployed());
    yard.loop.advanceDue();
    endedBySchema9(run);
    yard.loop.advanceDue();
    assertThat(state()).isEqualTo("active");
    assertThat(count("SELECT count(*) FROM wakeups")).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void a_first_step_that_no_turn_applied_before_a_replica_of_schema_9_ended_the_run_is_not_lost(
      String startedBefore) {
    ClaimedRun run = yard.begin(deployed());
    sql("UPDATE resources SET ever_started = " + startedBefore);
    endedBySchema9(run);
    assertThat(state()).isEqualTo("requested");
    yard.loop.advanceDue();
    assertThat(state()).isEqualTo("active");
    assertThat(yard.output("db", "host")).isEqualTo("old.local");
  }

  @Test
  void a_resource_that_is_requested_again_does_not_move_by_its_run_of_before() {
    ClaimedRun run = yard.begin(deployed());
    yard.loop.advanceDue();
    sql(
        ("UPDATE runs SET state = 'failed', version = 2, owner = NULL, claimable_at = NULL,"
                + " finished_at = now() WHERE id = '%s'")
            .formatted(run.id()));
    moved("provisioning", "failed", "engine");
    moved("failed", "requested", "registry");
    sql("UPDATE resources SET state_since = state_since + interval '1 h' WHERE name = 'db'");
    sql("INSERT INTO wakeups (application_id, at) SELECT owner_id, now() FROM resources");
    yard.loop.advanceDue();
    assertThat(state()).isEqualTo("requested");
    assertThat(count("SELECT count(*) FROM runs WHERE state = 'pending'")).isOne();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "UPDATE resources SET run_id = gen_random_uuid() WHERE name = 'db'",
        "UPDATE resources SET state = 'deprovisioning' WHERE name = 'db'"
      })
  void a_replica_of_schema_9_cannot_decide_before_the_report_is_applied(String decision) {
    ClaimedRun run = yard.begin(deployed());
    yard.loop.advanceDue();
    yard.end(run);
    assertThatThrownBy(() -> sql(decision)).hasMessageContaining("has to be applied first");
    yard.loop.advanceDue();
    assertThat(state()).isEqualTo("active");
  }

  @Test
  void runs_of_replicas_of_schema_9_get_their_subject() {
    deployed();
    sql(
        "INSERT INTO runs (id, kind, definition_hash, provider, workflow, application_id,"
            + " resource_id, environment, team, inputs, state, created_by, created_at)"
            + " SELECT gen_random_uuid(), 'resource', '', '', '', owner_id, id, environment, team,"
            + " '{}', 'pending', '', now() FROM resources WHERE name = 'db'");
    List<Map<String, Object>> without =
        yard.database
            .jdbi()
            .withHandle(
                h ->
                    h.createQuery(
                            "SELECT id FROM runs WHERE subject_kind IS DISTINCT FROM 'application'"
                                + " OR subject_key <> application_id::text"
                                + " OR item <> resource_id::text")
                        .mapToMap()
                        .list());
    assertThat(without).isEmpty();
  }
}
