package dev.slipway.applications.store;

import static dev.slipway.applications.store.ApplicationStoreTest.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.postgres.reconcile.Next;
import dev.slipway.postgres.reconcile.Wake;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ResourceObserverTest {
  private static final Duration INTERVAL = AdminConfig.Observe.DEFAULT.interval();
  private static final Yard yard = new Yard();

  private ResourceObserver observer;

  @BeforeEach
  void reset() {
    yard.reset(new TestProviders().full("acme", "postgres", "service").registry());
    observer = new ResourceObserver(yard.context);
  }

  @AfterAll
  static void close() {
    yard.close();
  }

  private static void deploy() {
    yard.deploy(SHOP);
    yard.settle();
    yard.clock.advance(Duration.ofSeconds(1));
  }

  private Next turn() throws SQLException {
    String key = yard.resource("db").id().toString();
    return yard.database
        .jdbi()
        .inTransaction(tx -> observer.reconcile(tx, key, new Wake.Everything(Set.of())));
  }

  private void look(Effect found, String code) throws SQLException {
    turn();
    ClaimedRun look = yard.claimAll().getFirst();
    StepError error = found == Effect.AS_LEFT ? null : StepError.permanent(code, "is gone", null);
    yard.looked(look, found, error);
    yard.loop.advanceDue();
    yard.clock.advance(INTERVAL);
  }

  private static long count(String sql) {
    return yard.database.jdbi().withHandle(h -> h.createQuery(sql).mapTo(Long.class).one());
  }

  private static String health() {
    return yard.resource("db").health();
  }

  @Test
  void what_was_never_looked_at_is_unknown_though_it_is_active() {
    yard.seen = Optional.empty();
    deploy();
    assertThat(yard.states()).containsEntry("db", "active");
    assertThat(health()).isEqualTo("Unknown");
    assertThat(yard.resource("db").observed()).isNull();
  }

  @Test
  void a_run_that_ends_asks_for_a_look() {
    deploy();
    assertThat(
            count(
                "SELECT count(*) FROM signals s JOIN resources r ON r.id::text = s.key"
                    + " WHERE s.kind = 'look' AND r.name = 'db'"))
        .isPositive();
  }

  @Test
  void a_look_finds_it_healthy_and_leaves_no_run_and_no_event_but_that_of_the_change()
      throws SQLException {
    deploy();
    assertThat(yard.events()).contains("resource.health");
    long events = yard.events().size();
    look(Effect.NOT_SEEN, "timeout");
    look(Effect.AS_LEFT, "");
    assertThat(health()).isEqualTo("Healthy");
    assertThat(yard.resource("db").observed().rule()).isEqualTo("read");
    assertThat(count("SELECT count(*) FROM runs WHERE operation = 'read'")).isZero();
    look(Effect.AS_LEFT, "");
    assertThat(yard.events().subList((int) events, yard.events().size()))
        .containsExactly("resource.health", "resource.health");
  }

  @Test
  void the_next_look_is_within_the_interval_and_not_all_at_once() throws SQLException {
    deploy();
    Instant now = yard.clock.instant();
    assertThat(turn())
        .isInstanceOfSatisfying(
            Next.At.class,
            at ->
                assertThat(at.due())
                    .isBetween(
                        now.plus(INTERVAL.multipliedBy(9).dividedBy(10)), now.plus(INTERVAL)));
    turn();
    assertThat(count("SELECT count(*) FROM runs WHERE operation = 'read'"))
        .as("one look at a time")
        .isEqualTo(1);
  }

  @Test
  void what_is_gone_is_missing_since_the_first_look_that_found_so() throws SQLException {
    deploy();
    look(Effect.AS_LEFT, "");
    Instant first = yard.clock.instant();
    look(Effect.MISSING, StepError.MISSING);
    look(Effect.MISSING, StepError.MISSING);
    assertThat(health()).isEqualTo("Missing");
    assertThat(yard.resource("db").observed().since()).isEqualTo(first);
    assertThat(yard.states()).containsEntry("db", "degraded");
    assertThat(
            yard.applications
                .explain(Yard.ADMIN, Yard.shop(), Optional.empty())
                .entries()
                .getFirst()
                .why())
        .contains("Missing since " + first, "is gone");
    look(Effect.AS_LEFT, "");
    assertThat(health()).isEqualTo("Healthy");
    assertThat(yard.states()).containsEntry("db", "active");
    assertThat(yard.resources.health(Yard.ADMIN, yard.resource("db").id()))
        .extracting(Resources.HealthChange::health)
        .containsExactly("Healthy", "Missing", "Healthy");
  }

  @Test
  void a_look_that_fails_makes_it_unknown_and_moves_nothing() throws SQLException {
    deploy();
    look(Effect.AS_LEFT, "");
    look(Effect.NOT_SEEN, "timeout");
    assertThat(health()).isEqualTo("Unknown");
    assertThat(yard.states()).containsEntry("db", "active");
  }

  @Test
  void a_run_that_fails_is_a_sample_of_its_own() {
    yard.broken.add("create db");
    yard.deploy(SHOP);
    yard.settle();
    assertThat(health()).isEqualTo("Failed");
    assertThat(yard.resource("db").observed().message()).contains("does not work");
  }

  @Test
  void without_a_read_workflow_the_run_counts_for_one_interval() throws SQLException {
    yard.registry =
        new TestProviders()
            .with(
                "acme",
                null,
                List.of(Operation.CREATE, Operation.UPDATE, Operation.DELETE),
                "postgres",
                "service")
            .registry();
    deploy();
    turn();
    assertThat(health()).isEqualTo("Healthy");
    assertThat(yard.resource("db").observed().rule()).isEqualTo("run-succeeded");
    yard.clock.advance(INTERVAL);
    turn();
    assertThat(health()).isEqualTo("Unknown");
    assertThat(yard.resource("db").observed().message())
        .isEqualTo("not observable: the provider has no read workflow");
  }

  @Test
  void an_application_says_how_many_of_its_resources_were_observed() throws SQLException {
    yard.registry =
        new TestProviders()
            .with("acme", null, List.of(Operation.CREATE, Operation.DELETE), "postgres")
            .full("other", "service")
            .registry();
    deploy();
    yard.clock.advance(INTERVAL);
    turn();
    Applications.View shop = yard.applications.show(Yard.ADMIN, Yard.shop());
    int all = shop.resources().size();
    assertThat(shop.coverage()).isEqualTo(all - 1 + " of " + all + " observed");
  }

  @Test
  void a_look_that_cannot_be_made_leaves_it_unknown_and_says_why() throws SQLException {
    deploy();
    look(Effect.AS_LEFT, "");
    yard.registry = Registry.EMPTY;
    turn();
    assertThat(health()).isEqualTo("Unknown");
    assertThat(yard.resource("db").observed().message())
        .isEqualTo("cannot be looked at: its provider is not loaded");
  }

  @Test
  void drift_that_is_to_be_corrected_is_made_again_once_an_interval() throws SQLException {
    deploy();
    look(Effect.AS_LEFT, "");
    AdminConfig d = AdminConfig.DEFAULT;
    yard.config = d.observing(new AdminConfig.Observe(INTERVAL, AdminConfig.Observe.Drift.CORRECT));
    yard.done.clear();
    look(Effect.MISSING, StepError.MISSING);
    yard.settle();
    assertThat(yard.done).containsExactly("create db");
    assertThat(yard.states()).containsEntry("db", "active");

    yard.clock.advance(Duration.ofSeconds(1));
    look(Effect.MISSING, StepError.MISSING);
    yard.settle();
    assertThat(yard.done).as("right after the correction").containsExactly("create db");
    look(Effect.MISSING, StepError.MISSING);
    yard.settle();
    assertThat(yard.done).containsExactly("create db", "create db");
  }

  @Test
  void what_is_not_ours_is_never_corrected() throws SQLException {
    deploy();
    yard.config =
        AdminConfig.DEFAULT.observing(
            new AdminConfig.Observe(INTERVAL, AdminConfig.Observe.Drift.CORRECT));
    yard.clock.advance(INTERVAL);
    yard.done.clear();
    look(Effect.NOT_OURS, StepError.NOT_OURS);
    yard.settle();
    assertThat(yard.done).isEmpty();
    assertThat(health()).isEqualTo("Degraded");
    assertThat(yard.states()).containsEntry("db", "degraded");
  }
}
