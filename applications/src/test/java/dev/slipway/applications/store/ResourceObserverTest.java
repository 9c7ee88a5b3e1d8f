package dev.slipway.applications.store;

import static dev.slipway.applications.store.ApplicationStoreTest.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.postgres.reconcile.Next;
import dev.slipway.postgres.reconcile.Wake;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    return turn(new Wake.Everything(Set.of()));
  }

  private Next turn(Wake wake) throws SQLException {
    String key = LookQueue.shard(yard.resource("db").id());
    return yard.database.jdbi().inTransaction(tx -> observer.reconcile(tx, key, wake));
  }

  /** Of the end of a run that has looked. */
  private static Wake end(ClaimedRun look) {
    return new Wake.Items(Set.of(look.subject().nodeId().toString()), Set.of(look.id()));
  }

  /** The turn of a moment at which the schedule asks for looks. */
  private Next begin() throws SQLException {
    Instant now = yard.clock.instant();
    yard.database
        .jdbi()
        .useHandle(h -> h.execute("UPDATE looks SET asked = NULL, due_at = ?", now));
    return turn();
  }

  private void look(Effect found, String code) throws SQLException {
    begin();
    ends(yard.claimAll().getFirst(), found, code);
    yard.clock.advance(INTERVAL);
  }

  private void ends(ClaimedRun look, Effect found, String code) throws SQLException {
    StepError error = found == Effect.AS_LEFT ? null : StepError.permanent(code, "is gone", null);
    yard.looked(look, found, error);
    turn(end(look));
    yard.loop.advanceDue();
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
    assertThat(asked()).isEqualTo(1);
    assertThat(
            count(
                "SELECT count(*) FROM signals WHERE kind = 'look' AND item = 'asked' AND key = '"
                    + LookQueue.shard(yard.resource("db").id())
                    + "'"))
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
    assertThat(begin()).isInstanceOf(Next.At.class);
    Instant due =
        yard.database
            .jdbi()
            .withHandle(
                h ->
                    h.createQuery(
                            "SELECT l.due_at FROM looks l JOIN resources r ON r.id = l.resource_id"
                                + " WHERE r.name = 'db'")
                        .mapTo(Instant.class)
                        .one());
    assertThat(due).isBetween(now.plus(INTERVAL.multipliedBy(8).dividedBy(10)), now.plus(INTERVAL));
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

  @ParameterizedTest
  @CsvSource({
    "progressing, Progressing",
    "degraded, Degraded",
    "suspended, Suspended",
    "health-unknown, Unknown"
  })
  void what_is_there_as_it_was_left_and_not_well_has_its_health_and_is_not_moved(
      String code, String health) throws SQLException {
    deploy();
    look(Effect.AS_LEFT, "");
    look(Effect.NOT_SEEN, code);
    assertThat(health()).isEqualTo(health);
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

    // As if no look had seen its work since.
    yard.database
        .jdbi()
        .useHandle(h -> h.execute("UPDATE resources SET gate_run = NULL WHERE name = 'db'"));
    yard.clock.advance(Duration.ofSeconds(1));
    look(Effect.MISSING, StepError.MISSING);
    yard.settle();
    assertThat(yard.done).as("right after the correction").containsExactly("create db");
    look(Effect.MISSING, StepError.MISSING);
    yard.settle();
    assertThat(yard.done).containsExactly("create db", "create db");
  }

  private void correcting() {
    yard.config =
        AdminConfig.DEFAULT.observing(
            new AdminConfig.Observe(INTERVAL, AdminConfig.Observe.Drift.CORRECT));
    yard.done.clear();
  }

  /** A look a moment after the last run, as a watch asks for it. */
  private void lookNow(Effect found, String code) throws SQLException {
    yard.clock.advance(Duration.ofSeconds(1));
    begin();
    ends(yard.claimAll().getFirst(), found, code);
    yard.settle();
  }

  @Test
  void what_was_seen_healthy_after_its_run_is_corrected_at_once_until_it_keeps_coming_back()
      throws SQLException {
    deploy();
    look(Effect.AS_LEFT, "");
    correcting();
    for (int i = 0; i < 3; i++) {
      lookNow(Effect.MISSING, StepError.MISSING);
      assertThat(yard.done).hasSize(i + 1);
      lookNow(Effect.AS_LEFT, "");
      assertThat(yard.states()).containsEntry("db", "active");
    }
    lookNow(Effect.MISSING, StepError.MISSING);
    assertThat(yard.done).as("it has come back three times").hasSize(3);
    assertThat(yard.states()).containsEntry("db", "degraded");
    assertThat(String.valueOf(yard.resource("db").reason()))
        .contains("is gone", "corrected 3 times", "not again before");

    yard.clock.advance(Duration.ofMinutes(1));
    yard.loop.advanceDue();
    yard.settle();
    assertThat(yard.done).as("after the pause, without another look").hasSize(4);
  }

  @Test
  void drift_that_is_ignored_leaves_the_resource_active_and_its_health_unknown()
      throws SQLException {
    deploy();
    look(Effect.AS_LEFT, "");
    yard.config =
        AdminConfig.DEFAULT.observing(
            new AdminConfig.Observe(INTERVAL, AdminConfig.Observe.Drift.IGNORE));
    yard.done.clear();
    look(Effect.DRIFTED, StepError.DRIFT);
    yard.settle();
    assertThat(yard.states()).containsEntry("db", "active");
    assertThat(health()).isEqualTo("Unknown");
    look(Effect.MISSING, StepError.MISSING);
    yard.settle();
    assertThat(yard.states()).containsEntry("db", "degraded");
    assertThat(yard.done).isEmpty();
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

  @Test
  void a_held_application_keeps_no_look_waiting() throws Exception {
    deploy();
    look(Effect.AS_LEFT, "");
    try (Connection other = yard.database.dataSource().getConnection()) {
      other.setAutoCommit(false);
      other.createStatement().execute("SELECT 1 FROM applications FOR UPDATE");
      other.createStatement().execute("SELECT 1 FROM resources FOR UPDATE");
      other
          .createStatement()
          .execute(
              "SELECT pg_advisory_xact_lock(hashtextextended('application ' || id, 1))"
                  + " FROM applications");
      begin();
      ClaimedRun look = yard.claimAll().getFirst();
      yard.looked(look, Effect.AS_LEFT, null);
      turn(end(look));
      other.rollback();
    }
    assertThat(yard.resource("db").observed().sampledAt()).isEqualTo(yard.clock.instant());
    assertThat(count("SELECT count(*) FROM runs WHERE operation = 'read'")).isZero();
  }

  @Test
  void what_a_look_finds_as_it_was_left_needs_no_turn_of_its_application() throws SQLException {
    deploy();
    look(Effect.AS_LEFT, "");
    begin();
    yard.looked(yard.claimAll().getFirst(), Effect.AS_LEFT, null);
    assertThat(count("SELECT count(*) FROM signals WHERE kind = 'application'")).isZero();
  }

  @Test
  void a_look_that_began_before_the_end_of_a_run_moves_nothing_and_is_followed_by_another_one()
      throws SQLException {
    deploy();
    look(Effect.AS_LEFT, "");
    begin();
    ClaimedRun early = yard.claimAll().getFirst();
    yard.clock.advance(Duration.ofSeconds(1));
    yard.deploy(SHOP.replace("size: 1", "size: 2"));
    yard.settle();
    yard.clock.advance(Duration.ofSeconds(1));
    yard.database.jdbi().useHandle(h -> h.execute("UPDATE looks SET asked = NULL"));
    ends(early, Effect.MISSING, StepError.MISSING);
    assertThat(yard.states()).containsEntry("db", "active");
    yard.loop.advanceDue();
    assertThat(yard.states()).containsEntry("db", "active");
    assertThat(asked()).isEqualTo(1);
  }

  private static long asked() {
    return count(
        "SELECT count(*) FROM looks l JOIN resources r ON r.id = l.resource_id"
            + " WHERE l.asked IS NOT NULL AND r.name = 'db'");
  }

  @Test
  void a_node_that_another_branch_asks_for_is_looked_at() throws SQLException {
    deploy();
    look(Effect.AS_LEFT, "");
    yard.clock.advance(Duration.ofSeconds(1));
    assertThat(asked()).isZero();
    ApplicationSampler sampler = new ApplicationSampler(yard.context);
    yard.database
        .jdbi()
        .useTransaction(
            tx -> {
              sampler.ask(
                  tx,
                  Set.of(
                      ApplicationRefs.RESOURCE.ref(yard.resource("db").identity(), "default"),
                      ApplicationRefs.RESOURCE.ref("none.default#shop.none", "default")));
              sampler.ask(tx, Set.of(ApplicationRefs.APPLICATION.ref("shop", "default")));
            });
    assertThat(asked()).isEqualTo(1);
    turn(new Wake.Items(Set.of("asked"), Set.of()));
    assertThat(asked()).isZero();
    assertThat(count("SELECT count(*) FROM runs WHERE operation = 'read'")).isEqualTo(1);
  }

  @Test
  void the_run_of_a_look_has_to_end_before_the_next_look() throws SQLException {
    deploy();
    begin();
    assertThat(
            count(
                "SELECT time_limit_ms FROM runs WHERE operation = 'read' AND cause = 'observation'"))
        .isEqualTo(INTERVAL.toMillis());
  }

  @Test
  void what_is_asked_for_while_a_look_is_under_way_is_looked_at_afterwards() throws SQLException {
    deploy();
    begin();
    ClaimedRun first = yard.claimAll().getFirst();
    yard.clock.advance(Duration.ofSeconds(1));
    UUID db = yard.resource("db").id();
    yard.database.jdbi().useTransaction(tx -> LookQueue.ask(tx, List.of(db), yard.clock.instant()));
    turn(new Wake.Items(Set.of("asked"), Set.of()));
    assertThat(count("SELECT count(*) FROM runs WHERE operation = 'read'")).isEqualTo(1);
    ends(first, Effect.AS_LEFT, "");
    yard.clock.advance(Duration.ofSeconds(10));
    turn();
    assertThat(count("SELECT count(*) FROM runs WHERE operation = 'read'")).isEqualTo(1);
    assertThat(asked()).isZero();
  }

  @Test
  void a_look_that_a_gate_has_begun_is_not_made_again() throws SQLException {
    deploy();
    assertThat(yard.resource("db").observed().rule()).isEqualTo("read");
    assertThat(asked()).isEqualTo(1);
    turn(new Wake.Items(Set.of("asked"), Set.of()));
    assertThat(asked()).isZero();
    assertThat(count("SELECT count(*) FROM runs WHERE operation = 'read'")).isZero();
  }

  @Test
  void looks_for_which_there_is_no_room_stay_due_and_are_not_written_again() throws SQLException {
    deploy();
    look(Effect.AS_LEFT, "");
    UUID db = yard.resource("db").id();
    // A hundred resources of the same shard, whose looks have no end.
    yard.database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    """
                    INSERT INTO resources
                    SELECT (jsonb_populate_record(r, jsonb_build_object(
                              'id', overlay(r.id::text PLACING lpad(to_hex(i), 8, '0') FROM 1 FOR 8),
                              'name', 'db' || i, 'outputs', jsonb_build_object(),
                              'identity', r.identity || i))).*
                      FROM resources r, generate_series(1, 100) AS i WHERE r.id = ?
                    """,
                    db));
    List<UUID> all =
        yard.database
            .jdbi()
            .withHandle(
                h ->
                    h.createQuery("SELECT id FROM resources WHERE name LIKE 'db_%'")
                        .mapTo(UUID.class)
                        .list());
    yard.database.jdbi().useTransaction(tx -> LookQueue.ask(tx, all, yard.clock.instant()));
    String due =
        "SELECT count(*) FROM looks l JOIN resources r ON r.id = l.resource_id"
            + " WHERE r.name LIKE 'db_%' AND l.asked IS NOT NULL AND l.due_at <= '"
            + yard.clock.instant()
            + "'";
    String reads = "SELECT count(*) FROM runs WHERE operation = 'read'";
    turn(new Wake.Items(Set.of("asked"), Set.of()));
    assertThat(count(reads)).as("the share of one provider").isEqualTo(48);
    assertThat(count(due)).isEqualTo(100 - 96);
    turn(new Wake.Items(Set.of("asked"), Set.of()));
    assertThat(count(reads)).isEqualTo(48);
    yard.database
        .jdbi()
        .useHandle(h -> h.execute("UPDATE runs SET finished_at = now() WHERE operation = 'read'"));
    yard.clock.advance(INTERVAL);
    turn();
    assertThat(count(reads))
        .as("those have ended, of which this replica was not notified")
        .isEqualTo(96);
  }
}
