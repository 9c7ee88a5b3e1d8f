package dev.slipway.applications.store;

import static dev.slipway.applications.store.ApplicationStoreTest.SHOP;
import static dev.slipway.applications.store.Yard.ANN;
import static dev.slipway.applications.store.Yard.shop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.explain.Explanation;
import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.postgres.reconcile.Wake;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Dependents of resources begin when looks find these Healthy; PostgreSQL keeps how far it is. */
class ResourceGatesTest {
  private static final Yard yard = new Yard();

  @BeforeEach
  void reset() {
    yard.reset(new TestProviders().full("acme", "postgres", "service").registry());
    yard.seen = Optional.empty();
  }

  @AfterAll
  static void close() {
    yard.close();
  }

  private static Registry withoutRead() {
    return new TestProviders()
        .with(
            "acme",
            null,
            List.of(Operation.CREATE, Operation.UPDATE, Operation.DELETE),
            "postgres",
            "service")
        .registry();
  }

  /** Deploys the shop, and lets the run that creates its database end. */
  private static void made() {
    yard.deploy(SHOP);
    yard.claim().forEach(run -> yard.end(yard.begin(run)));
    yard.loop.advanceDue();
  }

  private static ClaimedRun look() {
    yard.claim();
    return yard.looks.removeFirst();
  }

  private static void found(Effect effect) {
    StepError error =
        effect == Effect.AS_LEFT
            ? null
            : StepError.permanent(code(effect), "the look failed", null);
    yard.clock.advance(Duration.ofMillis(1));
    yard.looked(look(), effect, error);
    yard.loop.advanceDue();
  }

  private static String code(Effect effect) {
    return effect == Effect.MISSING ? StepError.MISSING : "timeout";
  }

  private static List<String> begun() {
    return yard.claim().stream()
        .map(run -> run.operation() + " " + run.subject().nodeName())
        .toList();
  }

  /** A turn of the looks among which that at {@code db} is. */
  private static void observe(Wake wake) throws SQLException {
    ResourceObserver observer = new ResourceObserver(yard.context);
    String shard = LookQueue.shard(yard.resource("db").id());
    yard.database.jdbi().useTransaction(tx -> observer.reconcile(tx, shard, wake));
  }

  private static String one(String sql) {
    return yard.database.jdbi().withHandle(h -> h.createQuery(sql).mapTo(String.class).one());
  }

  private static String gate(String resource) {
    return one("SELECT coalesce(gate, 'none') FROM resources WHERE name = '" + resource + "'");
  }

  private static long waits() {
    return Long.parseLong(one("SELECT count(*) FROM gate_waits"));
  }

  private static String deployment() {
    return one("SELECT status FROM deployments ORDER BY id DESC LIMIT 1");
  }

  @Test
  void the_turn_that_applies_the_end_of_a_run_begins_the_look_that_its_gate_waits_for() {
    made();
    assertThat(yard.states()).containsEntry("db", "active").containsEntry("api", "requested");
    assertThat(begun()).as("nothing that needs db").isEmpty();
    assertThat(yard.looks).hasSize(1);
    assertThat(gate("db")).isEqualTo("waiting");
    assertThat(one("SELECT node || ' ' || kind FROM gate_waits"))
        .isEqualTo("resource:postgres.default#shop.db application");
    assertThat(one("SELECT item FROM gate_waits")).isEqualTo(yard.resource("db").id().toString());
    assertThat(yard.events())
        .as("looks are quiet")
        .filteredOn("workflow.created"::equals)
        .hasSize(1);
  }

  @Test
  void a_dependent_begins_in_the_turn_that_applies_a_look_which_finds_it_healthy() {
    made();
    found(Effect.AS_LEFT);
    assertThat(begun()).containsExactly("create api");
    assertThat(gate("db")).isEqualTo("open");
    assertThat(waits()).isZero();
    assertThat(yard.loop.advanceDue()).as("the turn signals itself no further one").isZero();
  }

  @Test
  void unknown_opens_no_gate_and_the_next_look_does() {
    made();
    found(Effect.NOT_SEEN);
    assertThat(begun()).isEmpty();
    assertThat(gate("db")).isEqualTo("waiting");
    yard.clock.advance(Duration.ofSeconds(2));
    yard.loop.advanceDue();
    found(Effect.AS_LEFT);
    assertThat(begun()).containsExactly("create api");
  }

  @Test
  void looks_of_a_gate_are_made_again_in_growing_distances_until_its_grace_is_over() {
    made();
    int looks = 0;
    for (int second = 0; second < 240; second++) {
      yard.claim();
      while (!yard.looks.isEmpty()) {
        looks++;
        found(Effect.NOT_SEEN);
      }
      yard.clock.advance(Duration.ofSeconds(1));
      yard.loop.advanceDue();
    }
    assertThat(looks).isBetween(6, 12);
    assertThat(gate("db")).isEqualTo("failed");
    assertThat(waits()).isZero();
    assertThat(deployment()).isEqualTo("failed");
    assertThat(one("SELECT error ->> 'code' FROM deployments")).isEqualTo("DependencyNotHealthy");
    assertThat(yard.states()).containsEntry("db", "active").containsEntry("api", "requested");
  }

  @Test
  void a_gate_that_gave_up_opens_when_a_later_look_finds_it_healthy() {
    made();
    found(Effect.NOT_SEEN);
    yard.clock.advance(Duration.ofMinutes(10));
    yard.loop.advanceDue();
    assertThat(gate("db")).isEqualTo("failed");
    yard.resources.refresh(ANN, yard.resource("db").id());
    ClaimedRun refresh = yard.claim().getFirst();
    yard.looked(refresh, Effect.AS_LEFT, null);
    yard.loop.advanceDue();
    assertThat(begun()).containsExactly("create api");
    assertThat(deployment()).isEqualTo("running");
  }

  @Test
  void what_is_missing_at_the_first_look_waits_and_the_deployment_goes_on() {
    made();
    found(Effect.MISSING);
    assertThat(yard.states()).containsEntry("db", "degraded");
    assertThat(deployment()).isEqualTo("running");
    yard.clock.advance(Duration.ofSeconds(2));
    yard.loop.advanceDue();
    found(Effect.AS_LEFT);
    assertThat(yard.states()).containsEntry("db", "active");
    assertThat(begun()).containsExactly("create api");
  }

  @Test
  void without_a_read_workflow_the_successful_run_opens_the_gate_in_its_own_turn() {
    yard.registry = withoutRead();
    made();
    assertThat(gate("db")).isEqualTo("open");
    assertThat(begun()).containsExactly("create api");
    assertThat(yard.looks).isEmpty();
  }

  @Test
  void what_is_not_observable_later_holds_back_no_new_dependent() throws SQLException {
    yard.registry = withoutRead();
    made();
    yard.clock.advance(Duration.ofMinutes(10));
    ResourceObserver observer = new ResourceObserver(yard.context);
    String key = yard.resource("db").id().toString();
    yard.database
        .jdbi()
        .useTransaction(tx -> observer.reconcile(tx, key, new Wake.Everything(Set.of())));
    assertThat(yard.resource("db").health()).isEqualTo("Unknown");
    yard.settle();
    yard.deploy(
        SHOP + "    more: {type: service, params: {url: \"${resources.db.host}\"}}\n".substring(2));
    assertThat(begun()).containsExactly("create more");
  }

  @Test
  void an_open_gate_stays_open_while_its_resource_is_not_changed() {
    yard.seen = Optional.of(Effect.AS_LEFT);
    yard.deploy(SHOP);
    yard.settle();
    yard.seen = Optional.empty();
    yard.deploy(SHOP + "  more: {type: service, params: {url: \"${resources.db.host}\"}}\n");
    assertThat(begun()).as("no look is waited for").containsExactly("create more");
  }

  @Test
  void an_update_is_an_attempt_with_a_gate_of_its_own() {
    yard.seen = Optional.of(Effect.AS_LEFT);
    yard.deploy(SHOP);
    yard.settle();
    yard.seen = Optional.empty();
    yard.deploy(SHOP.replace("size: 1", "size: 2").replace("http://", "https://"));
    assertThat(gate("db")).isEqualTo("closed");
    yard.claim().forEach(run -> yard.end(yard.begin(run)));
    yard.loop.advanceDue();
    assertThat(begun()).as("api is updated after db was seen").isEmpty();
    found(Effect.AS_LEFT);
    assertThat(begun()).containsExactly("update api");
  }

  @Test
  void a_look_that_began_before_the_update_does_not_open_its_gate() {
    yard.seen = Optional.of(Effect.AS_LEFT);
    yard.deploy(SHOP);
    yard.settle();
    yard.seen = Optional.empty();
    yard.resources.refresh(ANN, yard.resource("db").id());
    ClaimedRun early = yard.claim().getFirst();
    yard.deploy(SHOP.replace("size: 1", "size: 2"));
    yard.claim().forEach(run -> yard.end(yard.begin(run)));
    yard.looked(early, Effect.AS_LEFT, null);
    yard.loop.advanceDue();
    assertThat(gate("db")).isEqualTo("waiting");
    found(Effect.AS_LEFT);
    assertThat(gate("db")).isEqualTo("open");
  }

  @Test
  void a_sample_that_another_transaction_stores_wakes_the_application() throws SQLException {
    yard.deploy(SHOP);
    List<ClaimedRun> runs = yard.claim();
    yard.registry = Registry.EMPTY;
    runs.forEach(run -> yard.end(yard.begin(run)));
    yard.loop.advanceDue();
    assertThat(gate("db")).isEqualTo("waiting");
    assertThat(yard.loop.advanceDue()).isZero();
    observe(new Wake.Everything(Set.of()));
    assertThat(one("SELECT item FROM signals WHERE kind = 'application'"))
        .isEqualTo(yard.resource("db").id().toString());
    assertThat(yard.loop.advanceDue()).isEqualTo(1);
    assertThat(yard.resource("db").gate().detail()).contains("its provider is not loaded");
  }

  @Test
  void applications_that_use_a_shared_resource_wait_for_its_gate_too() {
    String shared = "db: {type: postgres, id: main}";
    yard.deploy(app("shop", shared));
    yard.deploy(
        app("blog", shared + "\n  api: {type: service, params: {url: \"${resources.db.host}\"}}"));
    yard.claim().forEach(run -> yard.end(yard.begin(run)));
    yard.loop.advanceDue();
    yard.loop.advanceDue();
    assertThat(begun()).isEmpty();
    found(Effect.AS_LEFT);
    yard.loop.advanceDue();
    assertThat(begun()).containsExactly("create api");
  }

  private static String app(String name, String resources) {
    return """
        apiVersion: score.dev/v1b1
        metadata: {name: %s}
        containers: {web: {image: nginx}}
        resources:
          %s
        """
        .formatted(name, resources);
  }

  @Test
  void an_attempt_of_a_replica_of_the_version_before_has_no_gate() {
    yard.deploy(SHOP);
    ClaimedRun db = yard.begin(yard.claim().getFirst());
    yard.database
        .jdbi()
        .useHandle(h -> h.execute("UPDATE resources SET gate_run = NULL, gate = NULL"));
    yard.end(db);
    yard.loop.advanceDue();
    assertThat(begun()).containsExactly("create api");
  }

  @Test
  void what_is_destroyed_or_updated_while_its_gate_waits_leaves_no_wait_behind() {
    made();
    assertThat(waits()).isOne();
    yard.deploy(SHOP.replace("size: 1", "size: 2"));
    assertThat(waits()).isZero();
    yard.claim().forEach(run -> yard.end(yard.begin(run)));
    yard.loop.advanceDue();
    assertThat(waits()).isOne();
    yard.destroy("shop");
    assertThat(waits()).isZero();
    yard.settle();
    assertThat(yard.states()).containsEntry("db", "deleted");
  }

  @Test
  void explain_and_the_resource_say_which_gate_waits_for_what() {
    made();
    found(Effect.NOT_SEEN);
    Explanation explanation = yard.applications.explain(ANN, shop(), Optional.empty());
    assertThat(explanation.entries())
        .extracting(Explanation.Entry::subject)
        .containsExactly("db", "api");
    Explanation.Entry db = explanation.entries().getFirst();
    assertThat(db.why()).contains("when a look finds it Healthy: Unknown since", ": test");
    assertThat(db.gate().code()).isEqualTo("UnknownGrace");
    assertThat(db.gate().node()).isEqualTo("resource:postgres.default#shop.db");
    assertThat(db.gate().deadline()).isNotNull();
    assertThat(db.command()).startsWith("slipway resource refresh ");
    Explanation.Entry api = explanation.entries().getLast();
    assertThat(api.why()).contains("waits for db (active, Unknown since", ": test");
    assertThat(api.gate()).isEqualTo(db.gate());
    assertThat(yard.resource("db").gate().state()).isEqualTo("waiting");
    assertThat(yard.resource("api").blockedBy()).containsExactly("db");
    yard.clock.advance(Duration.ofSeconds(2));
    yard.loop.advanceDue();
    found(Effect.AS_LEFT);
    assertThat(yard.resource("db").gate()).isNull();
  }

  @Test
  void what_is_active_and_unknown_is_explained_with_since_when() {
    yard.seen = Optional.of(Effect.AS_LEFT);
    yard.deploy(SHOP);
    yard.settle();
    yard.clock.advance(Duration.ofMinutes(1));
    String since = yard.clock.instant().toString();
    yard.resources.refresh(ANN, yard.resource("db").id());
    yard.looked(
        yard.claim().getFirst(), Effect.NOT_SEEN, StepError.permanent("x", "no answer", null));
    yard.loop.advanceDue();
    assertThat(yard.applications.explain(ANN, shop(), Optional.empty()).entries().getFirst().why())
        .contains("Unknown since " + since);
    assertThat(yard.states()).containsEntry("db", "active");
  }

  @Test
  void an_update_that_fails_is_a_sample_and_what_was_there_before_is_looked_at()
      throws SQLException {
    yard.seen = Optional.of(Effect.AS_LEFT);
    yard.deploy(SHOP);
    yard.settle();
    yard.broken.add("update db");
    yard.deploy(SHOP.replace("size: 1", "size: 2"));
    yard.settle();
    assertThat(yard.resource("db").state()).isEqualTo("failed");
    assertThat(yard.resource("db").health()).isEqualTo("Failed");
    yard.clock.advance(Duration.ofSeconds(1));
    observe(new Wake.Everything(Set.of()));
    yard.settle();
    UUID look =
        UUID.fromString(one("SELECT run FROM signals WHERE kind = 'look' AND run IS NOT NULL"));
    observe(new Wake.Items(Set.of(yard.resource("db").id().toString()), Set.of(look)));
    assertThat(yard.resource("db").health()).isEqualTo("Healthy");
    assertThat(yard.resource("db").state()).isEqualTo("failed");
    assertThat(
            one(
                "SELECT request IS NULL FROM node_health WHERE node = 'resource:postgres.default#shop.db'"))
        .as("a look at the version before belongs to no attempt")
        .isEqualTo("t");
    assertThat(gate("db")).isEqualTo("closed");
  }

  /** Turns of the application while a chain of ten is provisioned. */
  private static int turns() {
    String resources =
        IntStream.range(0, 10)
            .mapToObj(
                i ->
                    "  r%d: {type: service, params: {url: \"%s\"}}"
                        .formatted(i, i == 0 ? "x" : "${resources.r" + (i - 1) + ".host}"))
            .collect(Collectors.joining("\n"));
    yard.deploy(app("chain", "first: {type: service}\n" + resources.stripTrailing()));
    int turns = 0;
    for (int round = 0; round < 100; round++) {
      List<ClaimedRun> claimed = yard.claim();
      claimed.forEach(run -> yard.end(yard.begin(run)));
      yard.looks.forEach(run -> yard.looked(run, Effect.AS_LEFT, null));
      yard.looks.clear();
      turns += yard.loop.advanceDue();
    }
    assertThat(yard.states())
        .hasSize(11)
        .allSatisfy((_, state) -> assertThat(state).isEqualTo("active"));
    assertThat(deployment()).isEqualTo("completed");
    return turns;
  }

  @Test
  void a_chain_of_ten_takes_one_more_turn_a_hop_and_none_more_without_looks() {
    int with = turns();
    yard.reset(withoutRead());
    yard.seen = Optional.empty();
    int without = turns();
    assertThat(without).isEqualTo(10);
    assertThat(with).isEqualTo(20);
  }
}
