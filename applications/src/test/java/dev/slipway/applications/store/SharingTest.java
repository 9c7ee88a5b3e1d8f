package dev.slipway.applications.store;

import static dev.slipway.applications.store.Yard.ANN;
import static dev.slipway.applications.store.Yard.BEN;
import static dev.slipway.applications.store.Yard.refusal;
import static dev.slipway.applications.store.Yard.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.postgres.Page;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SharingTest {
  private static final Yard yard = new Yard();

  @BeforeEach
  void reset() {
    yard.reset(new TestProviders().full("acme", "postgres", "service").registry());
  }

  @AfterAll
  static void close() {
    yard.close();
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

  private Resources.View db() {
    return yard.resources.list(Yard.ADMIN, Resources.Filter.ALL, Page.Ask.FIRST).data().stream()
        .filter(r -> r.type().equals("postgres"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void one_identity_in_two_workloads_is_one_resource_that_waits_for_its_last_user() {
    yard.deploy(app("shop", "db: {type: postgres, id: main, params: {size: 1}}"));
    yard.settle();
    yard.clock.advance(java.time.Duration.ofSeconds(1));
    yard.deploy(app("blog", "db: {type: postgres, id: main}"));
    yard.settle();
    assertThat(yard.done).containsExactly("create db");
    assertThat(db().users()).containsExactly("blog", "shop");
    assertThat(db().application()).isEqualTo("shop");
    yard.destroy("shop");
    yard.settle();
    assertThat(yard.done).containsExactly("create db");
    assertThat(db().application()).isEqualTo("blog");
    assertThat(db().state()).isEqualTo("active");
    yard.destroy("blog");
    yard.settle();
    assertThat(yard.done).containsExactly("create db", "delete db");
  }

  @Test
  void a_run_that_ends_while_the_owner_changes_moves_its_resource() throws InterruptedException {
    yard.deploy(app("shop", "db: {type: postgres, id: main}"));
    yard.deploy(app("blog", "db: {type: postgres, id: main}"));
    yard.loop.advanceDue();
    ClaimedRun run = yard.begin(yard.claim().getFirst());
    Thread turn;
    try (Handle handing = yard.database.jdbi().open()) {
      handing.begin();
      handing.execute(
          "UPDATE resources SET owner_id = (SELECT id FROM applications WHERE name = 'blog')");
      yard.end(run); // the writer waits for no row of a resource
      turn = Thread.startVirtualThread(() -> yard.loop.advanceDue());
      await().until(() -> waiting(handing) > 0);
      handing.commit();
    }
    turn.join();
    yard.settle();

    assertThat(db().state()).isEqualTo("active");
    assertThat(db().application()).isEqualTo("blog");
    assertThat(yard.events()).contains("resource.active");
  }

  private static long waiting(Handle handle) {
    return handle
        .createQuery(
            "SELECT count(*) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND wait_event_type = 'Lock'")
        .mapTo(Long.class)
        .one();
  }

  @Test
  void a_second_definition_with_other_params_is_refused() {
    yard.deploy(app("shop", "db: {type: postgres, id: main, params: {size: 1}}"));
    Refusal refusal =
        refusal(
            () -> yard.deploy(app("blog", "db: {type: postgres, id: main, params: {size: 2}}")));
    assertThat(((Refusal.Invalid) refusal).diagnostics())
        .extracting(d -> d.code())
        .containsExactly("shared-resource-conflict");
    yard.deploy(app("news", "db: {type: postgres, id: main, params: {size: 1}}"));
  }

  @Test
  void the_first_definition_with_params_counts_also_after_one_without() {
    yard.deploy(app("shop", "db: {type: postgres, id: main}"));
    yard.settle();
    yard.deploy(app("blog", "db: {type: postgres, id: main, params: {size: 4}}"));
    yard.settle();
    assertThat(yard.done).containsExactly("create db", "update db");
    assertThat(db().params()).containsEntry("size", 4L);
    assertThat(db().application()).isEqualTo("shop");
  }

  private static final String SHARED =
      "db: {type: postgres, id: main, metadata: {annotations:"
          + " {slipway.dev/shared-with: data-team}}}";
  private static final String FROM_SHOP =
      "db: {type: postgres, id: main, metadata: {annotations:"
          + " {slipway.dev/shared-from: shop-team}}}";

  private static String codeOfBen(String resources) {
    Refusal refusal = refusal(() -> yard.applications.deploy(BEN, request(app("blog", resources))));
    return switch (refusal) {
      case Refusal.Invalid invalid -> invalid.diagnostics().getFirst().code();
      case Refusal.Conflict conflict -> conflict.code();
      default -> refusal.message();
    };
  }

  @Test
  void sharing_across_teams_needs_the_owner_and_the_user() {
    assertThat(codeOfBen(FROM_SHOP)).isEqualTo("shared-resource-conflict");
    yard.deploy(app("shop", "db: {type: postgres, id: main}"));
    assertThat(codeOfBen(FROM_SHOP)).isEqualTo("shared-resource-conflict");
    yard.deploy(app("shop", SHARED));
    assertThat(codeOfBen("db: {type: postgres, id: main}")).isEqualTo("shared-resource-conflict");
    assertThat(codeOfBen(FROM_SHOP.replace("shop-team", "other-team")))
        .isEqualTo("shared-resource-conflict");
    yard.applications.deploy(BEN, request(app("blog", FROM_SHOP)));
    yard.settle();
    assertThat(yard.resources.show(BEN, db().id()).state()).isEqualTo("active");
    assertThat(refusal(() -> yard.resources.retry(BEN, db().id())))
        .isInstanceOf(Refusal.Forbidden.class);
    assertThat(yard.applications.show(BEN, new Applications.Ref("blog", "default")).state())
        .isEqualTo("active");
  }

  @Test
  void a_user_of_another_team_defines_nothing() {
    yard.deploy(app("shop", SHARED));
    yard.settle();
    assertThat(codeOfBen(FROM_SHOP.replace("main,", "main, params: {size: 4},")))
        .isEqualTo("shared-resource-conflict");
    assertThat(yard.done).containsExactly("create db");
    assertThat(db().params()).isEmpty();
  }

  @Test
  void ownership_stays_in_its_team_and_the_owner_waits_for_users_of_others() {
    yard.deploy(app("shop", SHARED));
    yard.settle();
    yard.applications.deploy(BEN, request(app("blog", FROM_SHOP)));
    yard.settle();
    assertThat(refusal(() -> yard.destroy("shop")))
        .isInstanceOfSatisfying(
            Refusal.Conflict.class,
            c -> {
              assertThat(c.code()).isEqualTo("used-by-other-teams");
              assertThat(c.related()).containsExactly("data-team");
            });
    yard.deploy(app("news", "db: {type: postgres, id: main}"));
    yard.settle();
    yard.destroy("shop");
    yard.settle();
    assertThat(db().application()).isEqualTo("news");
    assertThat(refusal(() -> yard.destroy("news"))).isInstanceOf(Refusal.Conflict.class);
    yard.applications.deprovision(
        BEN,
        new Applications.Ref("blog", "default"),
        new Applications.Teardown(
            java.util.Optional.of("blog"),
            Applications.Teardown.Leftovers.BY_POLICY,
            java.util.Optional.empty()));
    yard.settle();
    yard.destroy("news");
    yard.settle();
    assertThat(yard.done).containsExactly("create db", "delete db");
  }

  @Test
  void a_retained_resource_is_taken_for_every_other_team() {
    String kept =
        "db: {type: postgres, id: main, metadata: {annotations:"
            + " {slipway.dev/shared-with: '*', slipway.dev/deletion-policy: retain}}}";
    yard.deploy(app("shop", kept));
    yard.settle();
    yard.destroy("shop");
    yard.settle();
    java.util.UUID id = db().id();
    assertThat(codeOfBen(FROM_SHOP)).isEqualTo("identity-taken");
    assertThat(codeOfBen("db: {type: postgres, id: main}")).isEqualTo("identity-taken");
    assertThat(refusal(() -> yard.resources.show(BEN, id))).isInstanceOf(Refusal.NotFound.class);
    assertThat(refusal(() -> yard.resources.transitions(BEN, id)))
        .isInstanceOf(Refusal.NotFound.class);
    yard.deploy(app("news", kept));
    yard.settle();
    assertThat(db().id()).isEqualTo(id);
    assertThat(db().application()).isEqualTo("news");
  }

  @Test
  void an_application_that_waits_for_a_shared_resource_continues_when_its_owner_has_made_it() {
    yard.deploy(app("shop", "db: {type: postgres, id: main}"));
    yard.deploy(
        app(
            "blog",
            "db: {type: postgres, id: main}\n"
                + "api: {type: service, params: {url: \"${resources.db.host}\"}}"));
    yard.settle();
    assertThat(yard.done).containsExactly("create db", "create api");
    assertThat(refusal(() -> yard.resources.delete(ANN, db().id(), confirm("db"))))
        .isInstanceOfSatisfying(
            Refusal.Conflict.class,
            c -> {
              assertThat(c.code()).isEqualTo("has-dependents");
              assertThat(c.related()).containsExactly("api");
            });
  }

  @Test
  void documents_that_depend_on_each_other_in_a_circle_are_refused() {
    yard.deploy(
        app(
            "shop",
            "db: {type: postgres, id: main, params: {url: \"${resources.api.host}\"}}\n"
                + "api: {type: service, id: api}"));
    Refusal refusal =
        refusal(
            () ->
                yard.deploy(
                    app(
                        "blog",
                        "db: {type: postgres, id: main}\n"
                            + "api: {type: service, id: api, params: {url:"
                            + " \"${resources.db.host}\"}}")));
    assertThat(((Refusal.Invalid) refusal).diagnostics())
        .anySatisfy(
            d -> {
              assertThat(d.code()).isEqualTo("dependency-cycle");
              assertThat(d.message()).contains("postgres.default#main", "service.default#api");
            });
  }

  private static Applications.Teardown confirm(String name) {
    return new Applications.Teardown(
        java.util.Optional.of(name),
        Applications.Teardown.Leftovers.BY_POLICY,
        java.util.Optional.empty());
  }
}
