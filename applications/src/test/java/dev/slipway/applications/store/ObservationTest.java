package dev.slipway.applications.store;

import static dev.slipway.applications.store.ApplicationStoreTest.SHOP;
import static dev.slipway.applications.store.Yard.ANN;
import static dev.slipway.applications.store.Yard.refusal;
import static dev.slipway.applications.store.Yard.request;
import static dev.slipway.applications.store.Yard.shop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.explain.Explanation;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.graph.Graph;
import dev.slipway.engine.graph.GraphFormat;
import dev.slipway.engine.graph.GraphText;
import dev.slipway.engine.graph.Relation;
import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.engine.resolve.Registry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ObservationTest {
  private static final Yard yard = new Yard();

  @BeforeEach
  void reset() {
    yard.reset(providers());
  }

  private static Registry providers() {
    return new TestProviders().full("acme", "postgres", "service").registry();
  }

  @AfterAll
  static void close() {
    yard.close();
  }

  private static List<String> edges(Graph graph) {
    return graph.edges().stream()
        .filter(e -> !e.to().text().startsWith("workflow:"))
        .map(e -> e.from() + " " + e.relation().text() + " " + e.to())
        .toList();
  }

  @Test
  void the_graph_shows_every_node_and_edge_of_an_application() {
    yard.deploy(SHOP);
    yard.settle();
    Graph graph = yard.graphs.of(ANN, shop());
    assertThat(edges(graph))
        .containsExactly(
            "application:shop contains spec:shop",
            "resource:postgres.default#shop.db requires provider:acme",
            "resource:service.default#shop.api requires provider:acme",
            "resource:service.default#shop.api depends-on resource:postgres.default#shop.db",
            "spec:shop contains resource:postgres.default#shop.db",
            "spec:shop binds resource:postgres.default#shop.db",
            "spec:shop contains resource:service.default#shop.api");
    assertThat(graph.edges().stream().filter(e -> e.relation() == Relation.EXECUTES)).hasSize(2);
    for (GraphFormat format : GraphFormat.values()) {
      assertThat(GraphText.write(graph, format))
          .isEqualTo(GraphText.write(yard.graphs.of(ANN, shop()), format))
          .doesNotContain("secret-of");
    }
  }

  @Test
  void outside_of_the_default_environment_ids_say_where_they_are() {
    yard.applications.deploy(ANN, request(SHOP, Optional.of("preview")));
    Graph graph = yard.graphs.of(ANN, new Applications.Ref("shop", "preview"));
    assertThat(graph.nodes())
        .extracting(Graph.Node::id)
        .contains("resource:postgres.default#shop.db@preview");
  }

  @Test
  void the_chain_of_a_resource_holds_only_its_own_runs() {
    yard.deploy(SHOP);
    yard.settle();
    Graph all = yard.graphs.chain(ANN, shop(), "spec:shop");
    Graph one = yard.graphs.chain(ANN, shop(), "resource:postgres.default#shop.db");
    assertThat(runs(all)).isEqualTo(2);
    assertThat(runs(one)).isEqualTo(1);
    assertThat(refusal(() -> yard.graphs.chain(ANN, shop(), "resource:postgres.default#shop.dbb")))
        .isInstanceOfSatisfying(
            Refusal.NotFound.class,
            r -> assertThat(r.hint()).contains("resource:postgres.default#shop.db"));
  }

  private static long runs(Graph graph) {
    return graph.nodes().stream().filter(n -> n.ref().is(TrunkKinds.RUN)).count();
  }

  @Test
  void dependencies_dependents_and_the_critical_path_are_answered() {
    yard.deploy(SHOP);
    ClaimedRun db = yard.begin(yard.claim().getFirst());
    yard.clock.advance(Duration.ofSeconds(3));
    yard.end(db);
    yard.settle();
    assertThat(
            yard.graphs
                .dependencies(ANN, shop(), Optional.of("resource:service.default#shop.api"))
                .nodes())
        .extracting(Graph.Node::name)
        .containsExactly("db", "api");
    assertThat(
            yard.graphs
                .dependents(ANN, shop(), Optional.of("resource:service.default#shop.api"))
                .nodes())
        .extracting(Graph.Node::name)
        .containsExactly("api");
    GraphStore.CriticalPath path = yard.graphs.criticalPath(ANN, shop());
    assertThat(path.nodes()).extracting(Graph.Node::name).containsExactly("db", "api");
    assertThat(path.durationMs()).as("each run ends a millisecond later").isEqualTo(3002);
    assertThat(yard.graphs.ofProvider(ANN, "acme").nodes()).hasSize(3);
    assertThat(yard.graphs.ofProvider(Yard.BEN, "acme").nodes()).isEmpty();
  }

  @Test
  void every_revision_keeps_its_shape() {
    yard.deploy(SHOP);
    yard.settle();
    yard.deploy(SHOP + "  more: {type: service}\n");
    yard.settle();
    assertThat(yard.graphs.history(ANN, shop(), 1).nodes())
        .extracting(Graph.Node::id)
        .contains("resource:postgres.default#shop.db")
        .doesNotContain("resource:service.default#shop.more");
    assertThat(yard.graphs.history(ANN, shop(), 2).nodes())
        .extracting(Graph.Node::id)
        .contains("resource:service.default#shop.more");
  }

  @Test
  void an_explanation_names_what_failed_what_waits_and_what_to_type() {
    yard.broken.add("create db");
    yard.deploy(SHOP);
    yard.settle();
    Explanation explanation = yard.applications.explain(ANN, shop(), Optional.empty());
    assertThat(explanation.entries())
        .extracting(Explanation.Entry::subject)
        .containsExactly("db", "api");
    Explanation.Entry db = explanation.entries().getFirst();
    assertThat(db.lastError().message()).isEqualTo("create db does not work");
    assertThat(db.command()).isEqualTo("slipway run retry " + yard.resource("db").runId());
    assertThat(explanation.entries().get(1).why()).isEqualTo("waits for db (failed)");
    assertThat(yard.applications.explain(ANN, shop(), Optional.of("api")).entries()).hasSize(1);
    assertThat(refusal(() -> yard.applications.explain(ANN, shop(), Optional.of("nope"))))
        .isInstanceOf(Refusal.NotFound.class);
    yard.broken.clear();
    yard.deploy(SHOP);
    yard.settle();
    assertThat(yard.applications.explain(ANN, shop(), Optional.empty()).entries()).isEmpty();
  }

  @Test
  void while_a_run_is_under_way_the_explanation_says_so() {
    yard.deploy(SHOP);
    assertThat(yard.applications.explain(ANN, shop(), Optional.of("db")).summary())
        .contains("waits to be taken up");
    yard.begin(yard.claim().getFirst());
    assertThat(yard.applications.explain(ANN, shop(), Optional.of("db")).summary())
        .contains("runs 'create-postgres'");
    assertThat(yard.applications.explain(ANN, shop(), Optional.empty()).commands())
        .containsExactly("slipway wait shop");
  }

  @Test
  void a_provider_that_takes_workloads_gets_the_bound_containers_last() {
    yard.registry =
        new TestProviders().full("acme", "postgres", "service").full("run", "workload").registry();
    yard.deploy(SHOP);
    yard.settle();
    assertThat(yard.done).containsExactly("create db", "create api", "create workload");
    String inputs =
        yard.database
            .jdbi()
            .withHandle(
                h ->
                    h.createQuery("SELECT inputs FROM runs WHERE resource = 'workload'")
                        .mapTo(String.class)
                        .one());
    assertThat(inputs).contains("postgres://db.local/x").doesNotContain("secret-of");
    yard.done.clear();
    yard.deploy(SHOP.replace("nginx", "caddy"));
    yard.settle();
    assertThat(yard.done).containsExactly("update workload");
    yard.done.clear();
    yard.destroy("shop");
    yard.settle();
    assertThat(yard.done.getFirst()).isEqualTo("delete workload");
  }

  @Test
  void a_look_at_a_resource_changes_nothing() {
    yard.deploy(SHOP);
    yard.settle();
    Resources.View before = yard.resource("db");
    UUID run = yard.resources.refresh(ANN, before.id());
    ClaimedRun read = yard.claim().getFirst();
    assertThat(read.id()).isEqualTo(run);
    assertThat(read.operation()).isEqualTo("read");
    assertThat(yard.resource("db").state()).isEqualTo("active");
    assertThat(yard.resource("db").runId()).isEqualTo(before.runId());
  }

  @Test
  void every_change_of_state_is_remembered_with_who_and_why() {
    yard.deploy(SHOP);
    yard.settle();
    yard.deploy(SHOP.replace("size: 1", "size: 2"));
    yard.settle();
    assertThat(yard.resources.transitions(ANN, yard.resource("db").id()))
        .extracting(t -> t.actor() + " " + t.from() + " " + t.to())
        .containsExactly(
            "intake null requested",
            "engine requested provisioning",
            "engine provisioning active",
            "intake active updating",
            "engine updating active");
  }

  @Test
  void wrong_params_are_found_before_anything_is_accepted() {
    Refusal refusal = refusal(() -> yard.deploy(SHOP.replace("size: 1", "size: many")));
    assertThat(((Refusal.Invalid) refusal).diagnostics())
        .anySatisfy(
            d -> {
              assertThat(d.code()).isEqualTo("type-mismatch");
              assertThat(d.path()).isEqualTo("resources.db.params.size");
              assertThat(d.line()).isEqualTo(11);
            });
  }

  @Test
  void a_type_that_becomes_resolvable_again_goes_on_by_itself() {
    yard.deploy(SHOP);
    yard.registry = new TestProviders().full("acme", "postgres").registry();
    yard.claim().forEach(r -> yard.end(yard.begin(r)));
    yard.settle();
    assertThat(yard.resource("api").reason()).containsEntry("code", "NoProvider");
    assertThat(yard.applications.explain(ANN, shop(), Optional.empty()).commands())
        .containsExactly("slipway provider list");
    yard.registry = providers();
    yard.loop.wakeAll();
    yard.settle();
    assertThat(yard.resource("api").state()).isEqualTo("active");
    assertThat(Map.copyOf(yard.states())).containsEntry("api", "active");
  }
}
