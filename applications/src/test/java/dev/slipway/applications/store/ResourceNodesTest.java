package dev.slipway.applications.store;

import static dev.slipway.applications.store.ApplicationStoreTest.SHOP;
import static dev.slipway.applications.store.Yard.ANN;
import static dev.slipway.applications.store.Yard.shop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.plan.Plan;
import dev.slipway.applications.store.ResourceSamples.About;
import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.RunWrite.Report.Effect;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.graph.Graph;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.NodeView;
import dev.slipway.engine.graph.Relation;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.StepTypes;
import dev.slipway.postgres.reconcile.Wake;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.HandleConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One node for each resource, and the same one wherever it is named. */
class ResourceNodesTest {
  private static final String MYSQL = SHOP.replace("{type: postgres,", "{type: mysql,");
  private static final Yard yard = new Yard();

  @BeforeEach
  void reset() {
    yard.reset(new TestProviders().full("acme", "postgres", "mysql", "service").registry());
  }

  @AfterAll
  static void close() {
    yard.close();
  }

  private static Set<NodeRef> nodes(String name) {
    return yard.graphs.of(ANN, shop()).nodes().stream()
        .filter(node -> node.name().equals(name) && node.ref().is(ApplicationNodes.RESOURCE))
        .map(Graph.Node::ref)
        .collect(Collectors.toSet());
  }

  private static NodeRef ref(String text) {
    return NodeRef.parse(text).orElseThrow();
  }

  @Test
  void the_items_of_a_plan_that_replaces_a_type_are_two_nodes() {
    yard.deploy(SHOP);
    yard.settle();
    Plan plan = yard.applications.plan(ANN, Yard.request(MYSQL));
    assertThat(plan.items().stream().filter(item -> item.name().equals("db")))
        .extracting(item -> item.node().text())
        .containsExactlyInAnyOrder(
            "resource:postgres.default#shop.db", "resource:mysql.default#shop.db");
  }

  @Test
  void a_kept_plan_that_replaces_a_type_names_the_nodes_of_its_waves() {
    yard.deploy(SHOP);
    yard.settle();
    Plan plan = yard.applications.plan(ANN, Yard.request(MYSQL));
    Map<String, Object> kept = yard.applications.plan(ANN, plan.hash());
    assertThat(kept.get("waves")).isEqualTo(List.of(List.of("db"), List.of("api"), List.of("db")));
    assertThat(kept.get("waveNodes"))
        .isEqualTo(
            List.of(
                List.of("resource:mysql.default#shop.db"),
                List.of("resource:service.default#shop.api"),
                List.of("resource:postgres.default#shop.db")));
    assertThat(PlanGraph.of(kept).edges())
        .filteredOn(edge -> edge.relation() == Relation.DEPENDS_ON)
        .extracting(edge -> edge.from().text() + " " + edge.to().text())
        .containsExactly("resource:service.default#shop.api resource:mysql.default#shop.db");
  }

  @Test
  void the_simulation_of_a_plan_that_replaces_a_type_makes_the_new_one_and_removes_the_old_one() {
    yard.deploy(SHOP);
    yard.settle();
    Simulations simulations =
        new Simulations(yard.context, yard.runs, new Rendering(new StepTypes(List.of())));
    assertThat(simulations.of(ANN, Yard.request(MYSQL)).work())
        .filteredOn(work -> work.resource().equals("db"))
        .extracting(work -> work.operation() + " " + work.type())
        .containsExactly("create mysql", "delete postgres");
  }

  @Test
  void the_end_of_the_old_one_leaves_the_health_of_the_one_that_replaces_it() throws SQLException {
    yard.deploy(SHOP);
    yard.settle();
    yard.deploy(MYSQL);
    NodeRef old = ref("resource:postgres.default#shop.db");
    NodeRef fresh = ref("resource:mysql.default#shop.db");
    ClaimedRun removal = untilRemoval();
    assertThat(nodes("db")).containsExactlyInAnyOrder(old, fresh);
    healthy(fresh);
    yard.end(removal);
    yard.settle();
    assertThat(nodes("db")).containsExactly(fresh);
    assertThat(yard.graphs.of(ANN, shop()).nodes().stream().filter(n -> n.ref().equals(fresh)))
        .extracting(Graph.Node::health)
        .containsExactly("Healthy");
  }

  /** Carries everything out until the old one is being removed. */
  private static ClaimedRun untilRemoval() {
    for (int round = 0; round < 20; round++) {
      for (ClaimedRun run : yard.claim()) {
        yard.begin(run);
        if (Operation.DELETE.text().equals(run.operation())) {
          yard.loop.advanceDue();
          return run;
        }
        yard.end(run);
      }
      yard.loop.advanceDue();
    }
    throw new AssertionError("nothing is removed: " + yard.done);
  }

  private static void healthy(NodeRef node) throws SQLException {
    UUID id =
        yard.database
            .jdbi()
            .withHandle(
                h ->
                    h.createQuery("SELECT id FROM resources WHERE type = 'mysql'")
                        .mapTo(UUID.class)
                        .one());
    About about = new About(id, "db", node.name(), "mysql", "default", "shop-team", "shop");
    assertThat(about.node()).isEqualTo(node);
    Sample sample =
        new Sample(
            node,
            Health.HEALTHY,
            yard.clock.instant(),
            Optional.empty(),
            "1",
            List.of(),
            "",
            LookRow.READ);
    write(tx -> new ResourceSamples(yard.context, tx).write(Map.of(about, sample)));
  }

  @Test
  void the_branch_finds_each_node_that_its_graph_draws() {
    yard.deploy(SHOP);
    Set<NodeRef> drawn =
        yard.graphs.of(ANN, shop()).nodes().stream()
            .map(Graph.Node::ref)
            .filter(ref -> !ref.prefix().equals("provider") && !ref.prefix().equals("workflow"))
            .collect(Collectors.toSet());
    Map<NodeRef, NodeView> found =
        yard.context.read(tx -> new ApplicationSource(yard.clock).find(tx, drawn));
    assertThat(found.keySet()).isEqualTo(drawn);
    assertThat(found.values())
        .allSatisfy(
            view ->
                assertThat(view.blockedBy())
                    .allMatch(ref -> drawn.contains(ref) || ref.prefix().equals("workflow")))
        .anySatisfy(
            view ->
                assertThat(view.blockedBy())
                    .containsExactly(ref("resource:postgres.default#shop.db")));
  }

  @Test
  void what_remains_in_an_environment_is_named_as_its_graph_names_it() {
    yard.deploy(SHOP);
    yard.settle();
    yard.database
        .jdbi()
        .useHandle(h -> h.execute("UPDATE applications SET deleted_at = now(), state = 'deleted'"));
    ApplicationOccupant occupant = new ApplicationOccupant(yard.context, yard.runs);
    List<NodeRef> remaining = yard.context.read(tx -> occupant.remaining(tx, "default", 9));
    assertThat(remaining)
        .containsExactly(
            ref("resource:postgres.default#shop.db"), ref("resource:service.default#shop.api"));
  }

  @Test
  void an_explanation_to_a_user_of_a_resource_says_since_when_looks_find_it_so()
      throws SQLException {
    String shared = "  db: {type: postgres, id: shop.db, params: {size: 1}}\n";
    yard.deploy(SHOP.replace("  db: {type: postgres, params: {size: 1}}\n", shared));
    yard.deploy(app("till", "db: {type: postgres, id: shop.db}"));
    yard.settle();
    missing();
    assertThat(
            yard.applications
                .explain(ANN, new Applications.Ref("till", "default"), Optional.empty())
                .entries()
                .getFirst()
                .why())
        .contains("Missing since ");
  }

  private static void missing() throws SQLException {
    yard.clock.advance(Duration.ofSeconds(1));
    yard.database
        .jdbi()
        .useHandle(
            h -> h.execute("UPDATE looks SET asked = NULL, due_at = ?", yard.clock.instant()));
    observe(new Wake.Everything(Set.of()));
    yard.seen = Optional.empty();
    yard.claim();
    ClaimedRun look = yard.looks.removeFirst();
    yard.looked(look, Effect.MISSING, StepError.permanent(StepError.MISSING, "is gone", null));
    observe(new Wake.Items(Set.of(yard.resource("db").id().toString()), Set.of(look.id())));
    yard.loop.advanceDue();
  }

  private static void observe(Wake wake) throws SQLException {
    ResourceObserver observer = new ResourceObserver(yard.context);
    String shard = LookQueue.shard(yard.resource("db").id());
    write(tx -> observer.reconcile(tx, shard, wake));
  }

  private static void write(HandleConsumer<SQLException> work) throws SQLException {
    yard.database.jdbi().useTransaction(work);
  }

  private static String app(String name, String resources) {
    return """
    apiVersion: score.dev/v1b1
    metadata: {name: %s}
    containers: {web: {image: nginx, variables: {H: "${resources.db.host}"}}}
    resources:
    %s
    """
        .formatted(name, resources.indent(2));
  }

  @Test
  void the_name_that_releases_before_gave_a_resource_is_understood_while_it_means_one() {
    yard.deploy(SHOP);
    yard.settle();
    assertThat(yard.graphs.chain(ANN, shop(), "resource:shop:db").nodes())
        .extracting(Graph.Node::id)
        .contains("resource:postgres.default#shop.db");
  }

  @Test
  void the_graph_of_a_revision_that_a_release_before_has_stored_names_nodes_as_today() {
    yard.deploy(SHOP);
    yard.settle();
    yard.database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "UPDATE revisions SET graph = replace(replace(graph::text,"
                        + " 'resource:postgres.default#shop.db', 'resource:shop:db'),"
                        + " 'resource:service.default#shop.api', 'resource:shop:api')::json"));
    Graph then = yard.graphs.history(ANN, shop(), 1);
    assertThat(then.nodes())
        .extracting(Graph.Node::id)
        .contains("resource:postgres.default#shop.db", "resource:service.default#shop.api")
        .doesNotContain("resource:shop:db");
    assertThat(then.edges())
        .anySatisfy(
            edge -> {
              assertThat(edge.from()).isEqualTo(ref("resource:service.default#shop.api"));
              assertThat(edge.to()).isEqualTo(ref("resource:postgres.default#shop.db"));
            });
  }
}
