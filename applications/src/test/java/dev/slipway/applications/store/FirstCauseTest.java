package dev.slipway.applications.store;

import static dev.slipway.applications.store.ApplicationStoreTest.SHOP;
import static dev.slipway.applications.store.Yard.ANN;
import static dev.slipway.applications.store.Yard.shop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.explain.Explanation;
import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.graph.ExplainWalk;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.NodeView;
import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.postgres.nodes.NodeSources;
import dev.slipway.postgres.overview.RunSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The explanation of an application and the one of its node are two answers to one question: both
 * name the same cause first.
 */
class FirstCauseTest {
  private static final Yard yard = new Yard();
  private static final String DB = "resource:postgres.default#shop.db";
  private static final String API = "resource:service.default#shop.api";

  @BeforeEach
  void reset() {
    yard.reset(new TestProviders().full("acme", "postgres", "service").registry());
  }

  @AfterAll
  static void close() {
    yard.close();
  }

  /** What is explained first, with the sentence about it. */
  private record Cause(String node, String why) {}

  private static Explanation explanation(Applications.Ref application) {
    return yard.applications.explain(ANN, application, Optional.empty());
  }

  private static Cause explained(Applications.Ref application) {
    Explanation.Entry first = explanation(application).entries().getFirst();
    return new Cause(first.node().text(), first.why());
  }

  /** A run is the cause of the resource that it works on. */
  private static Cause walked(Applications.Ref application) {
    ExplainWalk.Entry first = walk(application).entries().getFirst();
    String subject =
        explanation(application).entries().stream()
            .filter(e -> e.runId() != null && TrunkKinds.RUN.ref(e.runId()).equals(first.node()))
            .map(e -> e.node().text())
            .findFirst()
            .orElse(first.node().text());
    return new Cause(
        subject, first.view().flatMap(NodeView::why).map(NodeView.Why::text).orElse(""));
  }

  private static ExplainWalk.Found walk(Applications.Ref application) {
    NodeSources sources =
        new NodeSources(List.of(new ApplicationSource(yard.clock), new RunSource(yard.clock)));
    NodeRef node = new ApplicationRefs(application.name(), application.environment()).application();
    return yard.context
        .read(tx -> ExplainWalk.from(node, 100, refs -> sources.find(tx, refs)))
        .orElseThrow();
  }

  private static void bothName(String node, String why) {
    assertThat(explained(shop())).as("application").isEqualTo(new Cause(node, why));
    assertThat(walked(shop())).as("node").isEqualTo(new Cause(node, why));
  }

  private static void made() {
    yard.deploy(SHOP);
    yard.claim().forEach(run -> yard.end(yard.begin(run)));
    yard.loop.advanceDue();
  }

  private static void found(ClaimedRun look, Effect effect) {
    yard.clock.advance(Duration.ofMillis(1));
    yard.looked(look, effect, StepError.permanent("timeout", "cannot tell", null));
    yard.loop.advanceDue();
  }

  @Test
  void the_run_that_failed() {
    yard.broken.add("create db");
    yard.deploy(SHOP);
    yard.settle();
    bothName(DB, "create db does not work");
  }

  @Test
  void the_run_that_failed_to_delete() {
    yard.deploy(SHOP);
    yard.settle();
    yard.broken.add("delete api");
    yard.destroy("shop");
    yard.settle();
    bothName(API, "delete api does not work");
  }

  @Test
  void the_run_that_failed_to_update() {
    yard.deploy(SHOP);
    yard.settle();
    yard.broken.add("update db");
    yard.deploy(SHOP.replace("size: 1", "size: 2"));
    yard.settle();
    bothName(DB, "update db does not work");
  }

  @Test
  void the_resource_whose_gate_waits() {
    yard.seen = Optional.empty();
    made();
    yard.claim();
    found(yard.looks.removeFirst(), Effect.NOT_SEEN);
    Cause cause = explained(shop());
    assertThat(cause.why())
        .startsWith("what needs it begins when a look finds it Healthy: Unknown");
    bothName(DB, cause.why());
  }

  @Test
  void the_resource_whose_gate_was_not_judged_yet() {
    yard.seen = Optional.empty();
    made();
    Cause cause = explained(shop());
    bothName(DB, cause.why());
  }

  @Test
  void the_resource_that_looks_do_not_find_healthy() {
    yard.deploy(SHOP);
    yard.settle();
    yard.seen = Optional.empty();
    yard.resources.refresh(ANN, yard.resource("db").id());
    found(yard.claim().getFirst(), Effect.NOT_SEEN);
    Cause cause = explained(shop());
    assertThat(cause.why()).startsWith("Unknown since ");
    bothName(DB, cause.why());
  }

  @Test
  void the_resource_whose_provider_is_gone() {
    yard.deploy(SHOP);
    List<ClaimedRun> runs = yard.claim();
    yard.registry = new TestProviders().full("acme", "postgres").registry();
    runs.forEach(run -> yard.end(yard.begin(run)));
    yard.settle();
    bothName(API, "no provider for 'service'");
  }

  @Test
  void the_resource_whose_type_two_providers_claim() {
    yard.deploy(SHOP);
    List<ClaimedRun> runs = yard.claim();
    yard.registry =
        new TestProviders().full("acme", "postgres", "service").full("other", "service").registry();
    runs.forEach(run -> yard.end(yard.begin(run)));
    yard.settle();
    bothName(API, "the type 'service' is claimed by acme and other");
  }

  @Test
  void the_first_deployment_that_waits_for_an_approval() {
    Applications.Ref prod = new Applications.Ref("shop", "prod");
    yard.createProtected("prod");
    yard.applications.deploy(ANN, Yard.request(SHOP, Optional.of("prod")));
    assertThat(explained(prod).node()).isEqualTo("application:shop@prod");
    assertThat(walked(prod)).isEqualTo(explained(prod));
  }

  @Test
  void an_approval_and_a_failure_are_named_by_both() {
    yard.broken.add("create db");
    yard.deploy(SHOP);
    yard.settle();
    yard.database.jdbi().useHandle(h -> h.execute("UPDATE environments SET protected = true"));
    yard.deploy(SHOP.replace("size: 1", "size: 2"));
    Explanation explanation = explanation(shop());
    assertThat(explanation.entries())
        .extracting(e -> e.node().text())
        .containsExactly("application:shop", DB, API);
    assertThat(walk(shop()).entries())
        .extracting(e -> e.view().flatMap(NodeView::why).flatMap(NodeView.Why::command).orElse(""))
        .containsSubsequence(
            explanation.entries().get(1).command(), explanation.entries().getFirst().command());
  }

  @Test
  void nothing_when_all_is_well() {
    yard.deploy(SHOP);
    yard.settle();
    assertThat(explanation(shop()).entries()).isEmpty();
    assertThat(walk(shop()).entries()).isEmpty();
  }
}
