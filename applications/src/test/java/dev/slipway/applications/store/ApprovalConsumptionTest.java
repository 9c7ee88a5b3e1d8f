package dev.slipway.applications.store;

import static dev.slipway.applications.store.Yard.ANN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.lifecycle.ApprovalState;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.postgres.access.Approval;
import dev.slipway.postgres.access.Approvals;
import dev.slipway.postgres.runs.PlannedRuns;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An approval is used up in the transaction that starts what was approved, and only there. */
class ApprovalConsumptionTest {
  private static final String PROD = "prod";
  private static final Yard yard = new Yard();
  private final Approvals approvals = new Approvals(yard.database.jdbi());
  private final PlannedRuns planned =
      new PlannedRuns(yard.database.jdbi(), yard.box, UUID::randomUUID);

  @BeforeEach
  void reset() {
    yard.reset(new TestProviders().full("acme", "postgres", "service").registry());
    yard.createProtected(PROD);
    sql(
        """
        CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'the database is gone'; END $$
        """);
  }

  @AfterEach
  void heal() {
    sql("DROP TRIGGER IF EXISTS broken ON runs");
  }

  @AfterAll
  static void close() {
    yard.close();
  }

  /** The transaction that makes a run is rolled back after all that came before in it. */
  private static void breakRuns() {
    sql("CREATE TRIGGER broken BEFORE INSERT ON runs FOR EACH ROW EXECUTE FUNCTION refuse()");
  }

  @Test
  void a_plan_whose_effect_was_rolled_back_is_still_approved_and_carried_out_once() {
    Applications.Accepted waiting =
        yard.applications.deploy(ANN, Yard.request(ApplicationStoreTest.SHOP, Optional.of(PROD)));
    breakRuns();
    decide(waiting.approvalId());
    yard.settle();
    assertThat(yard.done).isEmpty();
    assertThat(yard.deployments.show(ANN, waiting.deploymentId()).status()).isEqualTo("waiting");

    heal();
    yard.clock.advance(Duration.ofMinutes(2));
    yard.settle();
    yard.settle();
    assertThat(yard.done).containsExactly("create db", "create api");
    assertThat(count("SELECT count(*) FROM runs")).isEqualTo(2);
  }

  @Test
  void a_grant_that_nothing_used_for_an_hour_starts_nothing() {
    Applications.Accepted waiting =
        yard.applications.deploy(ANN, Yard.request(ApplicationStoreTest.SHOP, Optional.of(PROD)));
    decide(waiting.approvalId());
    yard.clock.advance(Duration.ofMinutes(61));
    yard.settle();

    assertThat(yard.done).isEmpty();
    assertThat(yard.deployments.show(ANN, waiting.deploymentId()).error())
        .containsEntry("code", "approval-expired");
  }

  @Test
  void a_vote_whose_run_could_not_be_made_does_not_count_and_one_that_counts_makes_one_run() {
    PlannedRuns.Waiting waiting = planned.ask(run("first"));
    breakRuns();
    assertThatThrownBy(() -> decide(waiting.approval())).hasStackTraceContaining("is gone");
    assertThat(approvals.find(waiting.approval()).orElseThrow().state())
        .isEqualTo(ApprovalState.PENDING);
    assertThat(count("SELECT count(*) FROM approval_votes")).isZero();
    assertThat(planned.summary(waiting.approval())).isPresent();
    assertThat(planned.approved(waiting.run())).isFalse();

    heal();
    assertThat(decide(waiting.approval())).isInstanceOf(Approvals.Outcome.Counted.class);
    assertThat(decide(waiting.approval())).isInstanceOf(Approvals.Outcome.TooLate.class);
    assertThat(count("SELECT count(*) FROM runs WHERE kind = 'golden-path'")).isEqualTo(1);
    assertThat(count("SELECT count(*) FROM planned_runs")).isZero();
    assertThat(planned.approved(waiting.run())).isTrue();
    assertThat(yard.claim().getFirst().inputs().parameters())
        .as("with what was asked for, secrets as they were")
        .containsEntry("which", "first")
        .hasEntrySatisfying(
            "password",
            secret ->
                assertThat(yard.box.openLeaves(Map.of("p", secret)))
                    .isEqualTo(Map.of("p", "planted")));
  }

  @Test
  void a_planned_run_expires_with_its_approval() {
    PlannedRuns.Waiting waiting = planned.ask(run("late"));
    assertThat(planned.ask(run("late"))).as("asked again: the same approval").isEqualTo(waiting);
    assertThat(planned.ask(run("other")).approval()).isNotEqualTo(waiting.approval());
    yard.clock.advance(Duration.ofHours(73));
    yard.loop.enforceExpiry();

    assertThat(approvals.find(waiting.approval()).orElseThrow().state())
        .isEqualTo(ApprovalState.EXPIRED);
    assertThat(decide(waiting.approval())).isInstanceOf(Approvals.Outcome.TooLate.class);
    assertThat(count("SELECT count(*) FROM planned_runs")).isZero();
    assertThat(count("SELECT count(*) FROM runs")).isZero();
    assertThat(yard.events()).contains("approval.requested", "approval.expired");
  }

  private Approvals.Outcome decide(UUID approval) {
    return approvals.decide(approval, "boss", Approval.Decision.APPROVE, "", yard.clock.instant());
  }

  private static NewRun run(String which) {
    Resolution.Definition definition =
        yard.registry.providers().getFirst().definitions().values().iterator().next();
    Map<String, Object> parameters = Map.of("which", which, "password", yard.box.seal("planted"));
    return new NewRun(
        UUID.randomUUID(),
        NewRun.Kind.GOLDEN_PATH,
        definition,
        null,
        NewRun.Subject.NONE,
        new NewRun.Tenancy(PROD, "shop-team"),
        NewRun.Origin.NONE,
        new NewRun.Inputs(parameters, Map.of("goldenPath", "tidy"), Map.of()),
        new NewRun.Creation("ann", yard.clock.instant()),
        Duration.ofMinutes(30));
  }

  private static int count(String query) {
    return yard.database.jdbi().withHandle(h -> h.createQuery(query).mapTo(Integer.class).one());
  }

  private static void sql(String statement) {
    yard.database.jdbi().useHandle(h -> h.execute(statement));
  }
}
