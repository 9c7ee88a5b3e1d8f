package dev.slipway.applications.store;

import static dev.slipway.applications.store.ApplicationStoreTest.SHOP;
import static dev.slipway.applications.store.Yard.ADMIN;
import static dev.slipway.applications.store.Yard.ANN;
import static dev.slipway.applications.store.Yard.BEN;
import static dev.slipway.applications.store.Yard.refusal;
import static dev.slipway.applications.store.Yard.request;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.postgres.environments.Environments;
import dev.slipway.postgres.overview.RunFilter;
import dev.slipway.postgres.overview.RunList;
import dev.slipway.postgres.overview.RunView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EnvironmentsTest {
  private static final Yard yard = new Yard();
  private static final Applications.Ref PREVIEW = new Applications.Ref("shop", "preview");

  @BeforeEach
  void reset() {
    yard.reset(new TestProviders().full("acme", "postgres", "service").registry());
  }

  @AfterAll
  static void close() {
    yard.close();
  }

  private static Environments.Settings settings(
      Optional<Duration> ttl, Optional<Environments.Protection> protection) {
    return new Environments.Settings(
        Optional.of("preview"),
        ttl,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        protection,
        Optional.empty(),
        Optional.empty());
  }

  private static Environments.Settings namespaces(String template) {
    return new Environments.Settings(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(template),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static List<Object> namespaces() {
    return yard.claim().stream().map(run -> run.inputs().parameters().get("namespace")).toList();
  }

  @Test
  void an_environment_names_the_namespaces_of_its_applications() {
    deploy(SHOP, "plain");
    assertThat(namespaces()).containsOnly("shop-plain");
    yard.environments.create(
        ADMIN,
        "preview",
        namespaces("{{ .team }}-{{ .environment | trunc 3 }}-{{ .app }}"),
        Optional.empty());
    deploy(SHOP, "preview");
    assertThat(namespaces()).containsOnly("shop-team-pre-shop");
  }

  @Test
  void a_namespace_template_that_cannot_work_is_refused_with_its_position() {
    for (String wrong :
        List.of("ns-{{ .apps }}", "ns-{{ .app", "ns-{{ nope .app }}", "Not {{.app}}")) {
      Refusal.Invalid refused =
          (Refusal.Invalid)
              refusal(
                  () ->
                      yard.environments.create(
                          ADMIN, "preview", namespaces(wrong), Optional.empty()));
      assertThat(refused.diagnostics().getFirst().path()).isEqualTo("namespaceTemplate");
      assertThat(refused.diagnostics().getFirst().column())
          .as(refused.diagnostics().getFirst().text())
          .isGreaterThan(wrong.startsWith("ns") ? 3 : 0);
      assertThat(
              refusal(
                  () ->
                      yard.environments.change(
                          ADMIN, "default", namespaces(wrong), Optional.empty())))
          .isInstanceOf(Refusal.Invalid.class);
    }
  }

  @Test
  void a_namespace_that_is_too_long_for_one_application_stops_that_one_with_a_reason() {
    yard.environments.create(
        ADMIN, "preview", namespaces("{{ repeat 20 .app }}"), Optional.empty());
    deploy(SHOP, "preview");
    yard.settle();
    assertThat(yard.done).isEmpty();
    assertThat(yard.applications.explain(ANN, PREVIEW, Optional.empty()).toString())
        .contains("namespaceTemplate of the environment 'preview'");
  }

  @Test
  void namespaces_stay_as_they_are_while_something_is_in_them() {
    yard.environments.create(ADMIN, "preview", namespaces("a-{{ .app }}"), Optional.empty());
    deploy(SHOP, "preview");
    assertThat(
            refusal(
                () ->
                    yard.environments.change(
                        ADMIN, "preview", namespaces("b-{{ .app }}"), Optional.empty())))
        .isInstanceOf(Refusal.Conflict.class);
    yard.environments.change(ADMIN, "preview", namespaces("a-{{ .app }}"), Optional.empty());
    yard.environments.create(ADMIN, "empty", namespaces("a-{{ .app }}"), Optional.empty());
    yard.environments.change(ADMIN, "empty", namespaces(""), Optional.empty());
    assertThat(yard.environments.show(ADMIN, "empty").namespaceTemplate()).isNull();
  }

  private Applications.Accepted deploy(String yaml, String environment) {
    return yard.applications.deploy(ANN, request(yaml, Optional.of(environment)));
  }

  @Test
  void an_unknown_environment_is_made_unless_the_policy_forbids_it() {
    deploy(SHOP, "preview");
    assertThat(yard.environments.show(ANN, "preview").occupants()).containsEntry("applications", 1);
    yard.config = config(List.of("prod"), List.of());
    assertThat(
            ((Refusal.Invalid) refusal(() -> deploy(SHOP, "other")))
                .diagnostics()
                .getFirst()
                .code())
        .isEqualTo("environment-not-allowed");
    deploy(SHOP, "prod");
    assertThat(((Refusal.Invalid) refusal(() -> deploy(SHOP, "Not A Label"))).diagnostics())
        .hasSize(1);
  }

  static AdminConfig config(List<String> allowed, List<String> approval) {
    AdminConfig d = AdminConfig.DEFAULT;
    AdminConfig.WorkflowPolicies w = d.workflowPolicies();
    return new AdminConfig(
        d.providers(),
        d.engine(),
        d.retention(),
        d.observe(),
        new AdminConfig.Policies(allowed, AdminConfig.Enforcement.ON),
        new AdminConfig.WorkflowPolicies(
            w.maxWorkflowDuration(),
            w.maxConcurrentWorkflows(),
            w.maxStepsPerWorkflow(),
            w.allowedStepTypes(),
            w.requiredPlatformWorkflows(),
            w.allowedProductWorkflows(),
            approval,
            w.allowedExecutors(),
            w.secretsAccess(),
            w.selfApproval()),
        d.connections(),
        d.clusters(),
        d.workloadCluster(),
        d.integrations(),
        d.secrets(),
        d.goldenPaths(),
        d.healthRules(),
        d.server(),
        d.files(),
        d.view());
  }

  @Test
  void backups_cannot_be_turned_off_where_they_are_enforced() {
    yard.config = config(List.of(), List.of());
    Refusal refusal =
        refusal(() -> yard.deploy(SHOP.replace("size: 1", "size: 1, backups: false")));
    assertThat(((Refusal.Invalid) refusal).diagnostics())
        .extracting(d -> d.code())
        .contains("backups-required");
  }

  @Test
  void one_with_a_time_to_live_is_announced_and_then_torn_down_newest_first() {
    yard.environments.create(
        ADMIN,
        "preview",
        settings(Optional.of(Duration.ofHours(5)), Optional.empty()),
        Optional.empty());
    deploy(SHOP, "preview");
    yard.clock.advance(Duration.ofMinutes(1));
    deploy(SHOP.replace("name: shop", "name: blog"), "preview");
    yard.settle();
    yard.done.clear();
    yard.clock.advance(Duration.ofMinutes(230));
    yard.loop.enforceExpiry();
    assertThat(yard.events()).doesNotContain("environment.expiring");
    yard.clock.advance(Duration.ofMinutes(20));
    yard.loop.enforceExpiry();
    yard.loop.enforceExpiry();
    assertThat(yard.events()).containsOnlyOnce("environment.expiring");
    assertThat(yard.applications.show(ANN, PREVIEW).state()).isEqualTo("active");
    yard.clock.advance(Duration.ofHours(1));
    yard.loop.enforceExpiry();
    List<String> order =
        yard.database
            .jdbi()
            .withHandle(
                h ->
                    h.createQuery(
                            "SELECT application FROM runs WHERE operation = 'delete' ORDER BY id")
                        .mapTo(String.class)
                        .list());
    assertThat(order).containsExactly("blog", "shop");
    yard.settle();
    yard.loop.enforceExpiry();
    assertThat(yard.done)
        .containsExactlyInAnyOrder("delete api", "delete db", "delete api", "delete db");
    assertThat(refusal(() -> deploy(SHOP, "preview")))
        .isInstanceOfSatisfying(
            Refusal.Conflict.class, c -> assertThat(c.code()).isEqualTo("environment-expired"));
    yard.environments.change(
        ADMIN,
        "preview",
        settings(Optional.of(Duration.ofDays(1)), Optional.empty()),
        Optional.empty());
    assertThat(deploy(SHOP, "preview").changed()).isTrue();
  }

  @Test
  void a_change_on_top_of_an_older_version_is_refused() {
    Environments.View made =
        yard.environments.create(
            ADMIN, "preview", settings(Optional.empty(), Optional.empty()), Optional.empty());
    Environments.Settings same = settings(Optional.empty(), Optional.empty());
    yard.environments.change(ADMIN, "preview", same, Optional.of(made.version()));
    assertThat(
            refusal(
                () ->
                    yard.environments.change(ADMIN, "preview", same, Optional.of(made.version()))))
        .isInstanceOf(Refusal.Outdated.class);
    assertThat(refusal(() -> yard.environments.create(ADMIN, "preview", same, Optional.empty())))
        .isInstanceOf(Refusal.Conflict.class);
  }

  @Test
  void a_full_environment_is_deleted_only_with_everything_inside_and_by_its_name() {
    deploy(SHOP, "preview");
    yard.settle();
    assertThat(refusal(() -> delete(Environments.Cascade.REFUSE, Optional.empty())))
        .isInstanceOfSatisfying(
            Refusal.Conflict.class,
            c -> {
              assertThat(c.code()).isEqualTo("environment-not-empty");
              assertThat(c.related()).contains("shop");
            });
    assertThat(refusal(() -> delete(Environments.Cascade.TEAR_DOWN, Optional.of("other"))))
        .isInstanceOf(Refusal.Conflict.class);
    assertThat(delete(Environments.Cascade.TEAR_DOWN, Optional.of("preview")))
        .isEqualTo(Environments.Deletion.TEARING_DOWN);
    yard.loop.enforceExpiry();
    yard.settle();
    yard.loop.enforceExpiry();
    assertThat(refusal(() -> yard.environments.show(ANN, "preview")))
        .isInstanceOf(Refusal.NotFound.class);
    deploy(SHOP, "preview");
  }

  @Test
  void runs_of_an_environment_that_is_gone_are_found_by_application_and_by_its_team_only() {
    deploy(SHOP, "preview");
    yard.settle();
    delete(Environments.Cascade.TEAR_DOWN, Optional.of("preview"));
    yard.loop.enforceExpiry();
    yard.settle();
    yard.loop.enforceExpiry();
    yard.applications.deploy(BEN, Yard.request(SHOP, Optional.of("other")));
    assertThat(runsOfShop(ANN)).isNotEmpty().allMatch(r -> r.environment().equals("preview"));
    assertThat(runsOfShop(ADMIN).size()).isGreaterThan(runsOfShop(ANN).size());
    assertThat(runsOfShop(BEN)).isNotEmpty().allMatch(r -> r.environment().equals("other"));
  }

  private static List<RunView> runsOfShop(Caller caller) {
    return new RunList(yard.database.jdbi())
        .list(
            caller.sees(),
            new RunFilter("shop", null, null, null, null, null),
            new RunList.Place(null, 0),
            50)
        .runs();
  }

  /** Another team has something in it because a replica of the version before let it in. */
  @Test
  void what_others_have_in_an_environment_is_neither_shown_to_nor_torn_down_by_another_team() {
    deploy(SHOP, "preview");
    yard.settle();
    yard.database
        .jdbi()
        .useHandle(
            h -> h.execute("UPDATE environments SET team = 'data-team' WHERE name <> 'default'"));
    for (Runnable harm :
        List.<Runnable>of(
            () ->
                yard.environments.change(
                    BEN, "preview", lasting(Duration.ofSeconds(1)), Optional.empty()),
            () ->
                yard.environments.change(
                    BEN, "preview", settings(Optional.empty(), Optional.empty()), Optional.empty()),
            () ->
                yard.environments.change(
                    BEN, "preview", namespaces("b-{{ .app }}"), Optional.empty()),
            () -> remove(BEN, Environments.Cascade.REFUSE),
            () -> remove(BEN, Environments.Cascade.TEAR_DOWN))) {
      assertThat(refusal(harm::run))
          .isInstanceOf(Refusal.Forbidden.class)
          .matches(refused -> !refused.toString().contains("shop"));
    }
    yard.applications.deprovision(
        ADMIN,
        PREVIEW,
        new Applications.Teardown(
            Optional.of("shop"), Applications.Teardown.Leftovers.BY_POLICY, Optional.empty()));
    yard.settle();
    assertThat(refusal(() -> remove(BEN, Environments.Cascade.REFUSE)))
        .as("its history is still another team's")
        .isInstanceOf(Refusal.Forbidden.class);
    assertThat(remove(ADMIN, Environments.Cascade.REFUSE)).isEqualTo(Environments.Deletion.DELETED);
  }

  @Test
  void who_has_to_wait_for_an_approval_does_not_lift_the_protection() {
    Environments.Settings guarded =
        settings(Optional.empty(), Optional.of(Environments.Protection.PROTECTED));
    Environments.Settings open =
        settings(Optional.empty(), Optional.of(Environments.Protection.OPEN));
    yard.environments.create(ANN, "preview", guarded, Optional.empty());
    for (Environments.Settings any : List.of(guarded, open, lasting(Duration.ofDays(9)))) {
      assertThat(refusal(() -> yard.environments.change(ANN, "preview", any, Optional.empty())))
          .isInstanceOf(Refusal.Forbidden.class);
    }
    assertThat(refusal(() -> remove(ANN, Environments.Cascade.REFUSE)))
        .isInstanceOf(Refusal.Forbidden.class);
    yard.environments.change(ADMIN, "preview", open, Optional.empty());
    assertThat(remove(ANN, Environments.Cascade.REFUSE)).isEqualTo(Environments.Deletion.DELETED);
  }

  private static Environments.Settings lasting(Duration ttl) {
    return new Environments.Settings(
        Optional.empty(),
        Optional.of(ttl),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static Environments.Deletion remove(Caller caller, Environments.Cascade cascade) {
    return yard.environments.delete(
        caller, "preview", cascade, Optional.of("preview"), Optional.empty());
  }

  private Environments.Deletion delete(Environments.Cascade cascade, Optional<String> confirm) {
    return yard.environments.delete(ADMIN, "preview", cascade, confirm, Optional.empty());
  }

  @Test
  void a_protected_one_waits_for_an_approval_of_exactly_this_plan() {
    yard.environments.create(
        ADMIN,
        "preview",
        settings(Optional.empty(), Optional.of(Environments.Protection.PROTECTED)),
        Optional.empty());
    Applications.Accepted waiting = deploy(SHOP, "preview");
    assertThat(waiting.status()).isEqualTo("waiting");
    assertThat(waiting.approvalId()).isNotNull();
    yard.settle();
    assertThat(yard.done).isEmpty();
    assertThat(yard.applications.explain(ANN, PREVIEW, Optional.empty()).commands())
        .containsExactly("slipway approve " + waiting.approvalId());
    assertThat(deploy(SHOP, "preview").changed()).isFalse();
    decide(waiting.approvalId(), "granted");
    yard.settle();
    assertThat(yard.done).containsExactly("create db", "create api");
    assertThat(yard.applications.show(ANN, PREVIEW).revision()).isEqualTo(1);

    Applications.Accepted second = deploy(SHOP.replace("size: 1", "size: 2"), "preview");
    decide(second.approvalId(), "rejected");
    yard.settle();
    assertThat(yard.deployments.show(ANN, second.deploymentId()).status()).isEqualTo("failed");
    assertThat(yard.applications.show(ANN, PREVIEW).revision()).isEqualTo(1);
    assertThat(deploy(SHOP, "preview").changed()).isFalse();
  }

  @Test
  void an_approval_for_a_plan_that_no_longer_fits_carries_nothing_out() {
    yard.config = config(List.of(), List.of("preview"));
    Applications.Accepted waiting = deploy(SHOP, "preview");
    yard.registry = new TestProviders().full("other", "postgres", "service").registry();
    decide(waiting.approvalId(), "granted");
    yard.settle();
    assertThat(yard.done).isEmpty();
    assertThat(yard.deployments.show(ANN, waiting.deploymentId()).error())
        .containsEntry("code", "stale-plan");
  }

  @Test
  void an_approval_without_a_decision_expires() {
    yard.config = config(List.of(), List.of("preview"));
    Applications.Accepted waiting = deploy(SHOP, "preview");
    yard.clock.advance(Duration.ofHours(73));
    yard.settle();
    assertThat(yard.deployments.show(ANN, waiting.deploymentId()).status()).isEqualTo("failed");
    assertThat(yard.events()).contains("approval.requested", "approval.expired");
  }

  private void decide(UUID approval, String state) {
    yard.database
        .jdbi()
        .useHandle(
            h -> {
              h.execute("UPDATE approvals SET state = ? WHERE id = ?", state, approval);
              h.execute(
                  "INSERT INTO signals (kind, key, at) SELECT 'application',"
                      + " d.application_id::text, ? FROM deployments d JOIN approvals a ON"
                      + " a.deployment_id = d.id WHERE a.id = ?",
                  yard.clock.instant(),
                  approval);
            });
  }
}
