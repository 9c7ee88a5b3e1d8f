package dev.slipway.applications.store;

import static dev.slipway.applications.store.Yard.ADMIN;
import static dev.slipway.applications.store.Yard.ANN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.access.RefusedException;
import dev.slipway.postgres.environments.Environments;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A protected environment takes changes only under a plan whose approval is there. */
class GuardTest {
  private static final String PROD = "prod";
  private static final Applications.Ref SHOP = new Applications.Ref("shop", PROD);
  private static final Yard yard = new Yard();

  @BeforeEach
  void reset() {
    yard.reset(new TestProviders().full("acme", "postgres", "service").registry());
    yard.createProtected(PROD);
  }

  @AfterAll
  static void close() {
    yard.close();
  }

  /** The row is gone, or it is one for something else. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "DELETE FROM approvals",
        "UPDATE approvals SET hash = 'of another plan', state = 'granted'",
        "UPDATE approvals SET deployment_id = gen_random_uuid(), state = 'granted'",
        "UPDATE approvals SET kind = 'step', state = 'granted'",
        "UPDATE deployments SET approval_id = NULL",
        "UPDATE deployments SET approval_id = gen_random_uuid()"
      })
  void an_approval_that_is_missing_or_of_something_else_starts_nothing(String harm) {
    Applications.Accepted waiting = deploy(ApplicationStoreTest.SHOP);
    sql(harm);
    wake();
    yard.settle();

    assertThat(yard.done).isEmpty();
    assertThat(yard.deployments.show(ANN, waiting.deploymentId()).status()).isEqualTo("failed");
    assertThat(yard.deployments.show(ANN, waiting.deploymentId()).error())
        .containsEntry("code", "approval-missing");
  }

  @Test
  void a_retry_goes_on_with_an_approved_plan_and_with_nothing_else() {
    yard.broken.add("create db");
    approve(deploy(ApplicationStoreTest.SHOP).approvalId());
    yard.settle();
    UUID db = resource("db");
    yard.broken.clear();

    assertThatThrownBy(
            () ->
                yard.resources.retry(
                    ANN,
                    db,
                    new Resources.Again(
                        Optional.empty(), Optional.empty(), Resources.Again.By.LATEST)))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("newest definition was not approved");
    yard.resources.retry(ANN, db);
    yard.settle();
    assertThat(yard.done).contains("create db", "create api");
  }

  @Test
  void a_retry_without_the_row_of_its_approval_starts_nothing() {
    yard.broken.add("create db");
    approve(deploy(ApplicationStoreTest.SHOP).approvalId());
    yard.settle();
    yard.broken.clear();
    yard.done.clear();
    sql("DELETE FROM approvals");

    assertThatThrownBy(() -> yard.resources.retry(ANN, resource("db")))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("only under an approved plan");
    yard.settle();
    assertThat(yard.done).isEmpty();
  }

  @Test
  void a_rollback_a_teardown_and_the_end_of_a_resource_wait_for_approvals() {
    approve(deploy(ApplicationStoreTest.SHOP).approvalId());
    yard.settle();
    approve(deploy(ApplicationStoreTest.SHOP.replace("size: 1", "size: 2")).approvalId());
    yard.settle();
    yard.done.clear();

    assertThat(yard.applications.rollback(ANN, SHOP, 1).approvalId()).isNotNull();
    yard.resources.delete(ANN, resource("api"), confirmed("api"));
    assertThat(yard.applications.deprovision(ANN, SHOP, confirmed("shop")).approvalId())
        .isNotNull();
    yard.settle();
    assertThat(yard.done).isEmpty();
  }

  @Test
  void the_end_of_its_time_waits_for_an_approval_too() {
    approve(deploy(ApplicationStoreTest.SHOP).approvalId());
    yard.settle();
    yard.done.clear();
    sql("UPDATE environments SET expires_at = '%s'".formatted(yard.clock.instant()));
    yard.clock.advance(Duration.ofHours(1));
    yard.loop.enforceExpiry();
    yard.settle();
    assertThat(yard.done).isEmpty();
  }

  @Test
  void it_is_changed_extended_and_deleted_by_operators_only() {
    deploy(ApplicationStoreTest.SHOP);
    sql("UPDATE environments SET expires_at = '%s'".formatted(yard.clock.instant()));
    Environments.Settings longer =
        new Environments.Settings(
            Optional.empty(),
            Optional.of(Duration.ofDays(7)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    assertThatThrownBy(() -> yard.environments.change(ANN, PROD, longer, Optional.empty()))
        .hasMessageContaining("is protected");
    assertThatThrownBy(
            () ->
                yard.environments.delete(
                    ANN, PROD, Environments.Cascade.TEAR_DOWN, Optional.of(PROD), Optional.empty()))
        .hasMessageContaining("is protected");
    yard.environments.change(ADMIN, PROD, longer, Optional.empty());
  }

  private static Applications.Teardown confirmed(String name) {
    return new Applications.Teardown(
        Optional.of(name), Applications.Teardown.Leftovers.BY_POLICY, Optional.empty());
  }

  private static Applications.Accepted deploy(String score) {
    return yard.applications.deploy(ANN, Yard.request(score, Optional.of(PROD)));
  }

  private static UUID resource(String name) {
    return yard.database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery("SELECT id FROM resources WHERE name = ?")
                    .bind(0, name)
                    .mapTo(UUID.class)
                    .one());
  }

  private static void approve(UUID approval) {
    sql("UPDATE approvals SET state = 'granted' WHERE id = '%s'".formatted(approval));
    wake();
  }

  private static void wake() {
    sql(
        "INSERT INTO signals (kind, key, at) SELECT 'application', id::text, '%s' FROM applications"
            .formatted(yard.clock.instant()));
  }

  private static void sql(String statement) {
    yard.database.jdbi().useHandle(h -> h.execute(statement));
  }
}
