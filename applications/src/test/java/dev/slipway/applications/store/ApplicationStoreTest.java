package dev.slipway.applications.store;

import static dev.slipway.applications.store.Yard.ADMIN;
import static dev.slipway.applications.store.Yard.ANN;
import static dev.slipway.applications.store.Yard.BEN;
import static dev.slipway.applications.store.Yard.refusal;
import static dev.slipway.applications.store.Yard.request;
import static dev.slipway.applications.store.Yard.shop;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.plan.Plan;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.plan.Change;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.value.Values;
import dev.slipway.postgres.Page;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ApplicationStoreTest {
  static final String SHOP =
      """
      apiVersion: score.dev/v1b1
      metadata: {name: shop}
      containers:
        web:
          image: nginx
          command: ["echo", "${resources.db.host}"]
          variables:
            DB: "postgres://${resources.db.host}/x"
            KEY: "${resources.db.password}"
      resources:
        db: {type: postgres, params: {size: 1}}
        api: {type: service, params: {url: "http://${resources.db.host}"}}
      """;

  private static final Yard yard = new Yard();

  @BeforeEach
  void reset() {
    yard.reset(new TestProviders().full("acme", "postgres", "service", "volume").registry());
  }

  @AfterAll
  static void close() {
    yard.close();
  }

  private static String change(Applications.Accepted reply, String name) {
    return reply.resources().stream()
        .filter(r -> r.name().equals(name))
        .findFirst()
        .orElseThrow()
        .change();
  }

  @Test
  void accepting_a_spec_starts_what_can_be_started_and_the_rest_follows_in_order() {
    Applications.Accepted reply = yard.deploy(SHOP);
    assertThat(reply.outcome()).isEqualTo(Applications.Accepted.Outcome.CREATED);
    assertThat(reply.changed()).isTrue();
    assertThat(reply.revision()).isEqualTo(1);
    List<ClaimedRun> first = yard.claim();
    assertThat(first).extracting(r -> r.subject().nodeName()).containsExactly("db");
    first.forEach(r -> yard.end(yard.begin(r)));
    yard.settle();
    assertThat(yard.done).containsExactly("create db", "create api");
    assertThat(yard.applications.show(ANN, shop()).state()).isEqualTo("active");
    assertThat(yard.deployments.show(ANN, reply.deploymentId()).status()).isEqualTo("completed");
    assertThat(yard.events())
        .contains(
            "spec.created",
            "deployment.started",
            "resource.created",
            "resource.provisioning",
            "resource.active",
            "provider.resolved",
            "workflow.created")
        .endsWith("deployment.completed");
  }

  @Test
  void placeholders_reach_params_and_containers_and_nothing_else() {
    yard.deploy(SHOP);
    yard.settle();
    Map<String, Object> web =
        Values.map(
            Values.map(yard.applications.workload(ANN, shop()).get("containers")).get("web"));
    assertThat(Values.map(web.get("variables")))
        .containsEntry("DB", "postgres://db.local/x")
        .containsEntry("KEY", "***");
    assertThat(web.get("command")).isEqualTo(List.of("echo", "${resources.db.host}"));
  }

  @Test
  void the_same_document_again_changes_nothing() {
    Applications.Accepted first = yard.deploy(SHOP);
    Applications.Accepted meanwhile = yard.deploy(SHOP);
    assertThat(meanwhile.changed()).isFalse();
    yard.settle();
    Applications.Accepted again = yard.deploy(SHOP);
    assertThat(again.changed()).isFalse();
    assertThat(again.outcome()).isEqualTo(Applications.Accepted.Outcome.UPDATED);
    assertThat(again.deploymentId()).isEqualTo(first.deploymentId());
    assertThat(again.revision()).isEqualTo(1);
    assertThat(again.resources()).extracting(r -> r.change()).containsOnly("no-op");
    yard.settle();
    assertThat(yard.done).hasSize(2);
  }

  @Test
  void an_update_runs_exactly_what_is_new_changed_or_removed() {
    yard.deploy(SHOP + "  old: {type: volume}\n");
    yard.settle();
    yard.done.clear();
    Applications.Accepted reply =
        yard.deploy(
            SHOP.replace("size: 1", "size: 2").replace("nginx", "caddy")
                + "  fresh: {type: volume}\n");
    assertThat(change(reply, "db")).isEqualTo("update");
    assertThat(change(reply, "api")).isEqualTo("unknown");
    assertThat(change(reply, "fresh")).isEqualTo("create");
    assertThat(change(reply, "old")).isEqualTo("delete");
    yard.settle();
    assertThat(yard.done).containsExactlyInAnyOrder("update db", "create fresh", "delete old");
    assertThat(yard.states()).containsEntry("old", "deleted").containsEntry("db", "active");
    assertThat(
            yard.deploy(
                    SHOP.replace("size: 1", "size: 2").replace("nginx", "caddy")
                        + "  fresh: {type: volume}\n")
                .changed())
        .isFalse();
  }

  @Test
  void changed_outputs_update_dependents_and_bind_containers_anew() {
    yard.deploy(SHOP);
    yard.settle();
    yard.done.clear();
    yard.answers.put("db", run -> Map.of("host", "other.local", "password", "x"));
    yard.deploy(SHOP.replace("size: 1", "size: 2"));
    yard.settle();
    assertThat(yard.done).containsExactly("update db", "update api");
    assertThat(yard.applications.workload(ANN, shop()).toString()).contains("other.local");
  }

  @Test
  void a_removed_dependency_goes_only_after_its_dependent_lives_without_it() {
    yard.deploy(SHOP);
    yard.settle();
    yard.done.clear();
    String alone =
        """
        apiVersion: score.dev/v1b1
        metadata: {name: shop}
        containers: {web: {image: nginx}}
        resources:
          api: {type: service, params: {url: "http://elsewhere"}}
        """;
    yard.deploy(alone);
    List<ClaimedRun> first = yard.claim();
    assertThat(first).extracting(r -> r.subject().nodeName()).containsExactly("api");
    first.forEach(r -> yard.end(yard.begin(r)));
    yard.settle();
    assertThat(yard.done).containsExactly("update api", "delete db");
  }

  @Test
  void deletion_runs_in_reverse_order_and_needs_a_confirmation() {
    yard.deploy(SHOP);
    yard.settle();
    yard.done.clear();
    Refusal refusal =
        refusal(
            () ->
                yard.applications.deprovision(
                    ANN,
                    shop(),
                    new Applications.Teardown(
                        Optional.empty(),
                        Applications.Teardown.Leftovers.BY_POLICY,
                        Optional.empty())));
    assertThat(refusal)
        .isInstanceOfSatisfying(
            Refusal.Conflict.class,
            c -> {
              assertThat(c.code()).isEqualTo("confirm-required");
              assertThat(c.related()).containsExactly("api", "db");
            });
    Applications.Accepted reply = yard.destroy("shop");
    yard.settle();
    assertThat(yard.done).containsExactly("delete api", "delete db");
    assertThat(refusal(() -> yard.applications.show(ANN, shop())))
        .isInstanceOf(Refusal.NotFound.class);
    assertThat(yard.deployments.show(ANN, reply.deploymentId()).status()).isEqualTo("completed");
    assertThat(yard.events()).contains("spec.deleted");
  }

  @Test
  void delete_then_redeploy_works_at_once_and_repeatedly() {
    yard.deploy(SHOP);
    yard.settle();
    for (int life = 2; life < 5; life++) {
      yard.destroy("shop");
      yard.deploy(SHOP);
      yard.settle();
      assertThat(yard.states()).containsEntry("db", "active").containsEntry("api", "active");
      assertThat(yard.resource("api").incarnation()).isEqualTo(life);
      assertThat(yard.applications.show(ANN, shop()).deploymentStatus()).isEqualTo("completed");
    }
    yard.destroy("shop");
    yard.settle();
    assertThat(yard.deploy(SHOP).outcome()).isEqualTo(Applications.Accepted.Outcome.CREATED);
    yard.settle();
    assertThat(yard.applications.show(ANN, shop()).state()).isEqualTo("active");
  }

  @Test
  void deletion_while_provisioning_stops_the_run_first() {
    yard.deploy(SHOP);
    ClaimedRun db = yard.begin(yard.claim().getFirst());
    yard.destroy("shop");
    assertThat(yard.states()).containsEntry("db", "provisioning").containsEntry("api", "deleted");
    String cancel =
        yard.database
            .jdbi()
            .withHandle(
                h ->
                    h.createQuery("SELECT cancel FROM runs WHERE id = ?")
                        .bind(0, db.id())
                        .mapTo(String.class)
                        .one());
    assertThat(cancel).isEqualTo("requested");
    yard.cancelled(db);
    yard.settle();
    assertThat(yard.done).containsExactly("delete db");
    assertThat(yard.states()).containsEntry("db", "deleted");
  }

  @Test
  void a_newer_revision_drops_runs_that_no_replica_has_started() {
    Applications.Accepted older = yard.deploy(SHOP);
    yard.deploy(SHOP.replace("size: 1", "size: 7"));
    List<ClaimedRun> claimed = yard.claim();
    assertThat(claimed).hasSize(1);
    assertThat(claimed.getFirst().inputs().parameters()).containsEntry("size", 7L);
    assertThat(yard.deployments.show(ANN, older.deploymentId()).status()).isEqualTo("superseded");
    claimed.forEach(r -> yard.end(yard.begin(r)));
    yard.settle();
    assertThat(yard.done).containsExactly("create db", "create api");
  }

  @Test
  void a_dropped_run_has_its_end_event_like_any_other() {
    yard.deploy(SHOP);
    yard.deploy(SHOP.replace("size: 1", "size: 7"));
    String end =
        yard.database
            .jdbi()
            .withHandle(
                h ->
                    h.createQuery(
                            "SELECT r.state || ' ' || r.workflow || ' ' || coalesce(e.type || ' '"
                                + " || (e.data ->> 'status') || ' ' || (e.data ->> 'workflow') || '"
                                + " ' || (e.data -> 'error' ->> 'code'), 'no event') FROM runs r"
                                + " LEFT JOIN events e ON e.data ->> 'runId' = r.id::text AND"
                                + " e.type = 'workflow.cancelled' ORDER BY r.id LIMIT 1")
                        .mapTo(String.class)
                        .one());
    assertThat(end).matches("cancelled (\\S+) workflow.cancelled cancelled \\1 superseded");
  }

  @Test
  void a_running_step_finishes_and_the_newer_revision_follows_as_an_update() {
    yard.deploy(SHOP);
    ClaimedRun running = yard.begin(yard.claim().getFirst());
    yard.deploy(SHOP.replace("size: 1", "size: 7"));
    yard.end(running);
    yard.settle();
    assertThat(yard.done).containsExactly("create db", "update db", "create api");
  }

  @Test
  void a_failure_shows_on_the_resource_and_the_deployment_and_can_be_tried_again() {
    yard.broken.add("create db");
    Applications.Accepted reply = yard.deploy(SHOP);
    yard.settle();
    Resources.View db = yard.resource("db");
    assertThat(db.state()).isEqualTo("failed");
    assertThat(db.reason()).containsEntry("message", "create db does not work");
    DeploymentStore.View deployment = yard.deployments.show(ANN, reply.deploymentId());
    assertThat(deployment.status()).isEqualTo("failed");
    assertThat(deployment.error()).containsEntry("code", "step");
    assertThat(yard.events()).contains("deployment.failed");
    assertThat(yard.resource("api").blockedBy()).containsExactly("db");
    yard.broken.clear();
    assertThat(yard.resources.retry(ANN, db.id())).isPresent();
    yard.settle();
    assertThat(yard.applications.show(ANN, shop()).state()).isEqualTo("active");
    assertThat(yard.deployments.show(ANN, reply.deploymentId()).status()).isEqualTo("completed");
    assertThat(refusal(() -> yard.resources.retry(ANN, db.id())))
        .isInstanceOf(Refusal.Conflict.class);
  }

  @Test
  void the_same_document_tries_again_what_failed() {
    yard.broken.add("create db");
    yard.deploy(SHOP);
    yard.settle();
    yard.broken.clear();
    assertThat(yard.deploy(SHOP).changed()).isTrue();
    yard.settle();
    assertThat(yard.applications.show(ANN, shop()).state()).isEqualTo("active");
  }

  @Test
  void a_failed_deletion_stays_and_a_new_spec_deletes_first() {
    yard.deploy(SHOP);
    yard.settle();
    yard.broken.add("delete api");
    yard.destroy("shop");
    yard.settle();
    assertThat(yard.states()).containsEntry("api", "failed").containsEntry("db", "active");
    yard.broken.clear();
    yard.done.clear();
    yard.deploy(SHOP);
    yard.settle();
    assertThat(yard.done).containsExactly("delete api", "create api");
    assertThat(yard.states()).containsEntry("api", "active").containsEntry("db", "active");
  }

  @Test
  void a_teardown_that_failed_can_be_asked_for_again() {
    yard.deploy(SHOP);
    yard.settle();
    yard.broken.add("delete api");
    yard.destroy("shop");
    yard.settle();
    assertThat(yard.applications.show(ANN, shop()).state()).isEqualTo("failed");
    yard.broken.clear();
    yard.destroy("shop");
    yard.settle();
    assertThat(yard.states()).containsEntry("api", "deleted").containsEntry("db", "deleted");
  }

  @Test
  void a_plan_says_what_will_happen_and_is_refused_when_the_world_has_moved() {
    yard.deploy(SHOP);
    yard.settle();
    String bigger = SHOP.replace("size: 1", "size: 2");
    Plan plan = yard.applications.plan(ANN, request(bigger));
    assertThat(plan.items())
        .filteredOn(i -> i.name().equals("db"))
        .singleElement()
        .satisfies(
            i -> {
              assertThat(i.change()).isEqualTo(Change.UPDATE);
              assertThat(i.fields()).hasSize(1);
              assertThat(i.fields().getFirst().path()).isEqualTo("size");
              assertThat(i.fields().getFirst().before()).isEqualTo(1L);
              assertThat(i.fields().getFirst().after()).isEqualTo(2L);
            });
    assertThat(plan.waves().stream().map(plan::names))
        .containsExactly(List.of("db"), List.of("api"));
    assertThat(plan.names(plan.criticalPath())).containsExactly("db", "api");
    assertThat(yard.applications.plan(ANN, plan.hash())).containsEntry("hash", plan.hash());
    assertThat(yard.done).hasSize(2);
    yard.deploy(SHOP.replace("size: 1", "size: 3"));
    yard.settle();
    Applications.DeployRequest asked = withPlan(bigger, plan.hash());
    assertThat(refusal(() -> yard.applications.deploy(ANN, asked)))
        .isInstanceOf(Refusal.StalePlan.class);
    Plan fresh = yard.applications.plan(ANN, request(bigger));
    assertThat(yard.applications.deploy(ANN, withPlan(bigger, fresh.hash())).changed()).isTrue();
  }

  private static Applications.DeployRequest withPlan(String yaml, String hash) {
    Applications.DeployRequest r = request(yaml);
    return new Applications.DeployRequest(
        r.score(),
        r.file(),
        r.environment(),
        r.team(),
        r.images(),
        Optional.of(hash),
        r.mode(),
        r.replace(),
        r.orphan(),
        r.ifVersion());
  }

  @Test
  void a_dry_run_writes_nothing() {
    Applications.DeployRequest r = request(SHOP);
    Applications.Accepted reply =
        yard.applications.deploy(
            ANN,
            new Applications.DeployRequest(
                r.score(),
                r.file(),
                r.environment(),
                r.team(),
                r.images(),
                r.planHash(),
                Applications.DeployRequest.Mode.DRY_RUN,
                r.replace(),
                r.orphan(),
                r.ifVersion()));
    assertThat(reply.resources()).extracting(i -> i.change()).containsOnly("create");
    assertThat(refusal(() -> yard.applications.show(ANN, shop())))
        .isInstanceOf(Refusal.NotFound.class);
    assertThat(yard.events()).isEmpty();
  }

  @Test
  void an_unknown_type_is_refused_with_its_place_and_the_nearest_one() {
    Refusal refusal = refusal(() -> yard.deploy(SHOP.replace("type: postgres", "type: postgress")));
    assertThat(refusal)
        .isInstanceOfSatisfying(
            Refusal.Invalid.class,
            i ->
                assertThat(i.diagnostics())
                    .singleElement()
                    .satisfies(
                        d -> {
                          assertThat(d.code()).isEqualTo("unknown-resource-type");
                          assertThat(d.text())
                              .startsWith("score.yaml:11:14: resources.db.type: no provider for")
                              .endsWith("Did you mean 'postgres' (acme)?");
                        }));
    assertThat(refusal(() -> yard.applications.show(ANN, shop())))
        .isInstanceOf(Refusal.NotFound.class);
  }

  @Test
  void two_providers_of_one_level_are_a_conflict_of_one_type_only() {
    yard.registry =
        new TestProviders()
            .full("acme", "postgres", "service")
            .full("other", "postgres")
            .registry();
    Refusal refusal = refusal(() -> yard.deploy(SHOP));
    assertThat(((Refusal.Invalid) refusal).diagnostics())
        .extracting(d -> d.code())
        .containsExactly("capability-conflict");
  }

  @Test
  void a_missing_update_workflow_is_replaced_only_when_confirmed() {
    yard.registry =
        new TestProviders()
            .with("acme", null, List.of(Operation.CREATE, Operation.DELETE), "postgres", "service")
            .registry();
    yard.deploy(SHOP);
    yard.settle();
    yard.done.clear();
    String bigger = SHOP.replace("size: 1", "size: 2");
    Plan plan = yard.applications.plan(ANN, request(bigger));
    assertThat(
            plan.items().stream()
                .filter(i -> i.name().equals("db"))
                .findFirst()
                .orElseThrow()
                .note())
        .isEqualTo("update-unsupported");
    assertThat(((Refusal.Invalid) refusal(() -> yard.deploy(bigger))).diagnostics())
        .extracting(d -> d.code())
        .contains("operation-not-supported");
    Applications.DeployRequest r = request(bigger);
    yard.applications.deploy(
        ANN,
        new Applications.DeployRequest(
            r.score(),
            r.file(),
            r.environment(),
            r.team(),
            r.images(),
            r.planHash(),
            r.mode(),
            java.util.Set.of("db"),
            r.orphan(),
            r.ifVersion()));
    yard.settle();
    assertThat(yard.done).containsExactly("delete db", "create db");
    assertThat(yard.resource("db").incarnation()).isEqualTo(2);
  }

  @Test
  void a_resource_that_no_provider_can_delete_is_refused_unless_its_object_may_stay() {
    yard.registry =
        new TestProviders()
            .with("acme", null, List.of(Operation.CREATE, Operation.UPDATE), "postgres", "service")
            .registry();
    yard.deploy(SHOP);
    yard.settle();
    yard.done.clear();
    assertThat(refusal(() -> yard.destroy("shop")))
        .isInstanceOfSatisfying(
            Refusal.Conflict.class, c -> assertThat(c.code()).isEqualTo("no-delete-workflow"));
    yard.applications.deprovision(
        ANN,
        shop(),
        new Applications.Teardown(
            Optional.of("shop"), Applications.Teardown.Leftovers.ORPHAN, Optional.empty()));
    yard.settle();
    assertThat(yard.done).isEmpty();
    assertThat(yard.states()).containsEntry("db", "deleted").containsEntry("api", "deleted");
  }

  @Test
  void a_retained_resource_stays_and_is_adopted_again() {
    String kept =
        SHOP.replace(
            "db: {type: postgres,",
            "db: {type: postgres, metadata: {annotations: {slipway.dev/deletion-policy: retain}},");
    yard.deploy(kept);
    yard.settle();
    yard.done.clear();
    yard.destroy("shop");
    yard.settle();
    assertThat(yard.done).containsExactly("delete api");
    assertThat(yard.states()).containsEntry("db", "active");
    yard.done.clear();
    yard.deploy(kept);
    yard.settle();
    assertThat(yard.done).containsExactly("create api");
    yard.destroy("shop");
    yard.settle();
    Resources.View db =
        yard.resources.list(ANN, Resources.Filter.ALL, Page.Ask.FIRST).data().getFirst();
    assertThat(db.detached()).isTrue();
    yard.done.clear();
    yard.resources.delete(
        ANN,
        db.id(),
        new Applications.Teardown(
            Optional.of("db"), Applications.Teardown.Leftovers.BY_POLICY, Optional.empty()));
    yard.settle();
    assertThat(yard.done).containsExactly("delete db");
  }

  @Test
  void another_team_sees_nothing_and_cannot_take_the_name() {
    yard.deploy(SHOP);
    yard.settle();
    assertThat(refusal(() -> yard.applications.show(BEN, shop())))
        .isInstanceOf(Refusal.NotFound.class);
    assertThat(yard.applications.list(BEN, Applications.Filter.ALL, Page.Ask.FIRST).data())
        .isEmpty();
    assertThat(yard.resources.list(BEN, Resources.Filter.ALL, Page.Ask.FIRST).data()).isEmpty();
    assertThat(refusal(() -> yard.applications.deploy(BEN, request(SHOP))))
        .isInstanceOf(Refusal.Forbidden.class);
    assertThat(yard.applications.list(ADMIN, Applications.Filter.ALL, Page.Ask.FIRST).data())
        .singleElement()
        .satisfies(s -> assertThat(s.active()).isEqualTo(2));
  }

  @Test
  void a_rollback_makes_an_old_revision_the_newest() {
    yard.deploy(SHOP);
    yard.settle();
    yard.deploy(SHOP.replace("size: 1", "size: 2"));
    yard.settle();
    yard.done.clear();
    Applications.Accepted reply = yard.applications.rollback(ANN, shop(), 1);
    assertThat(reply.revision()).isEqualTo(3);
    yard.settle();
    assertThat(yard.done).containsExactly("update db");
    assertThat(yard.resource("db").params()).containsEntry("size", 1L);
    assertThat(yard.applications.revisions(ANN, shop())).hasSize(3);
    assertThat(refusal(() -> yard.applications.rollback(ANN, shop(), 9)))
        .isInstanceOf(Refusal.NotFound.class);
  }

  @Test
  void no_secret_is_stored_or_shown_in_the_clear() {
    String secret =
        SHOP.replace("size: 1", "size: 1, password: hunter2hunter2")
            .replace("url: \"http://", "url: \"http://u:${resources.db.password}@");
    yard.deploy(secret);
    yard.settle();
    assertThat(yard.everything()).doesNotContain("hunter2").doesNotContain("secret-of-");
    assertThat(yard.deploy(secret).changed()).isFalse();
    Plan plan =
        yard.applications.plan(ANN, request(secret.replace("hunter2hunter2", "hunter3hunter3")));
    assertThat(plan.toString()).doesNotContain("hunter").contains("***");
    assertThat(
            plan.items().stream()
                .filter(i -> i.name().equals("db"))
                .findFirst()
                .orElseThrow()
                .change())
        .isEqualTo(Change.UPDATE);
    Resources.View db = yard.resource("db");
    assertThat(db.params()).containsEntry("password", "***");
    assertThat(yard.resources.outputs(ANN, db.id(), Resources.Reveal.MASKED))
        .containsEntry("password", "***");
    assertThat(yard.resources.outputs(ANN, db.id(), Resources.Reveal.CLEAR))
        .containsEntry("password", "secret-of-db");
  }

  @Test
  void a_missing_output_fails_the_dependent_with_its_reason() {
    yard.answers.put("db", run -> Map.of("port", 5432L));
    Applications.Accepted reply = yard.deploy(SHOP);
    yard.settle();
    assertThat(yard.resource("api").state()).isEqualTo("failed");
    assertThat(yard.resource("api").reason()).containsEntry("code", "InvalidInput");
    assertThat(yard.deployments.show(ANN, reply.deploymentId()).status()).isEqualTo("failed");
    assertThat(yard.applications.explain(ANN, shop(), Optional.empty()).summary())
        .contains("resource 'db' has no output 'host'");
  }
}
