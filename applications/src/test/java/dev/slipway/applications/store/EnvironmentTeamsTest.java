package dev.slipway.applications.store;

import static dev.slipway.applications.store.ApplicationStoreTest.SHOP;
import static dev.slipway.applications.store.Yard.ADMIN;
import static dev.slipway.applications.store.Yard.ANN;
import static dev.slipway.applications.store.Yard.BEN;
import static dev.slipway.applications.store.Yard.refusal;
import static dev.slipway.applications.store.Yard.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.access.Teams;
import dev.slipway.postgres.environments.Environments;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An environment belongs to the team whose request made it, or is shared by all. */
class EnvironmentTeamsTest {
  private static final Yard yard = new Yard();
  private static final String PREVIEW = "preview";
  private static final Caller BOTH = caller(Set.of("shop-team", "data-team"));

  @BeforeEach
  void reset() {
    yard.reset(new TestProviders().full("acme", "postgres", "service").registry());
  }

  @AfterAll
  static void close() {
    yard.close();
  }

  private static Caller caller(Set<String> teams) {
    return new Caller("cyd", new Teams.Named(teams), new Teams.Named(teams));
  }

  private static Applications.Accepted deploy(Caller caller, String yaml) {
    return yard.applications.deploy(caller, request(yaml, Optional.of(PREVIEW)));
  }

  private static Optional<String> owner(String environment) {
    return Optional.ofNullable(yard.environments.show(ADMIN, environment).team());
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

  private static void create(Caller caller, String name) {
    yard.environments.create(caller, name, lasting(Duration.ofHours(5)), Optional.empty());
  }

  @Test
  void it_belongs_to_the_team_that_made_it_and_to_no_team_when_an_operator_did() {
    deploy(ANN, SHOP);
    create(BEN, "bens");
    create(ADMIN, "shared");
    yard.applications.deploy(ADMIN, request(SHOP, Optional.of("made-by-admin")));

    assertThat(owner(PREVIEW)).contains("shop-team");
    assertThat(owner("bens")).contains("data-team");
    assertThat(owner("shared")).isEmpty();
    assertThat(owner("made-by-admin")).isEmpty();
    assertThat(owner("default")).isEmpty();
  }

  @Test
  void a_member_of_several_teams_says_which_one_it_belongs_to() {
    assertThat(refusal(() -> create(BOTH, PREVIEW)))
        .isInstanceOfSatisfying(
            Refusal.Conflict.class, c -> assertThat(c.code()).isEqualTo("team-required"));
    assertThat(
            refusal(
                () ->
                    yard.environments.create(
                        ANN, PREVIEW, lasting(Duration.ofHours(1)), Optional.of("data-team"))))
        .isInstanceOf(Refusal.Forbidden.class);
    yard.environments.create(BOTH, PREVIEW, lasting(Duration.ofHours(1)), Optional.of("data-team"));
    assertThat(owner(PREVIEW)).contains("data-team");
  }

  @Test
  void another_team_neither_sees_nor_enters_nor_changes_it() {
    deploy(ANN, SHOP);
    yard.settle();

    assertThat(yard.environments.list(BEN))
        .extracting(Environments.View::name)
        .doesNotContain(PREVIEW);
    for (Runnable asked :
        List.<Runnable>of(
            () -> yard.environments.show(BEN, PREVIEW),
            () ->
                yard.environments.change(
                    BEN, PREVIEW, lasting(Duration.ofDays(9)), Optional.empty()),
            () ->
                yard.environments.delete(
                    BEN,
                    PREVIEW,
                    Environments.Cascade.TEAR_DOWN,
                    Optional.of(PREVIEW),
                    Optional.empty()))) {
      assertThat(refusal(asked::run)).isInstanceOf(Refusal.NotFound.class);
    }
    String blog = SHOP.replace("name: shop", "name: blog");
    for (Runnable asked :
        List.<Runnable>of(
            () -> deploy(BEN, blog),
            () -> yard.applications.plan(BEN, request(blog, Optional.of(PREVIEW))),
            () -> yard.resources.create(BEN, resource()),
            () -> yard.environments.enter(BEN, PREVIEW),
            () -> create(BEN, PREVIEW))) {
      assertThat(refusal(asked::run))
          .isInstanceOfSatisfying(
              Refusal.Forbidden.class,
              f -> assertThat(f.message()).contains("'preview'").doesNotContain("shop-team"));
    }
    assertThat(yard.environments.show(ANN, PREVIEW).occupants()).containsEntry("applications", 1);
  }

  private static Resources.NewResource resource() {
    return new Resources.NewResource(
        "blog", PREVIEW, Optional.empty(), "db", java.util.Map.of("type", "postgres"));
  }

  @Test
  void its_team_and_operators_do_all_that() {
    create(ANN, PREVIEW);
    deploy(ANN, SHOP);
    yard.environments.change(ANN, PREVIEW, lasting(Duration.ofDays(9)), Optional.empty());
    yard.environments.change(ADMIN, PREVIEW, lasting(Duration.ofDays(8)), Optional.empty());
    deploy(ADMIN, SHOP.replace("name: shop", "name: blog"));
    assertThat(yard.applications.show(ANN, new Applications.Ref("blog", PREVIEW)).team())
        .as("what an operator deploys into it belongs to its team")
        .isEqualTo("shop-team");
    assertThat(owner(PREVIEW)).contains("shop-team");
  }

  @Test
  void it_takes_no_application_of_another_team() {
    create(ANN, PREVIEW);
    Applications.DeployRequest asked =
        Yard.request(SHOP, Optional.of(PREVIEW), Optional.of("data-team"));
    for (Caller caller : List.of(ADMIN, BOTH)) {
      assertThat(refusal(() -> yard.applications.deploy(caller, asked)))
          .isInstanceOfSatisfying(
              Refusal.Conflict.class, c -> assertThat(c.code()).isEqualTo("environment-of-team"));
    }
    deploy(BOTH, SHOP);
    assertThat(yard.applications.show(ANN, new Applications.Ref("shop", PREVIEW)).team())
        .isEqualTo("shop-team");
  }

  /** A replica of the version before knows no owners and may have let another team in. */
  @Test
  void what_another_team_has_in_it_is_not_moved_on_by_that_team() {
    yard.broken.add("create db");
    yard.environments.create(ADMIN, PREVIEW, lasting(Duration.ofHours(5)), Optional.empty());
    deploy(ANN, SHOP);
    yard.settle();
    sql("UPDATE environments SET team = 'data-team' WHERE name = 'preview'");
    yard.broken.clear();
    yard.done.clear();
    UUID db =
        yard.applications.show(ADMIN, new Applications.Ref("shop", PREVIEW)).resources().stream()
            .filter(r -> r.name().equals("db"))
            .findFirst()
            .orElseThrow()
            .id();

    for (Runnable asked :
        List.<Runnable>of(
            () -> deploy(ANN, SHOP.replace("size: 1", "size: 2")),
            () -> yard.resources.retry(ANN, db),
            () -> yard.resources.refresh(ANN, db),
            () ->
                yard.resources.delete(
                    ANN,
                    db,
                    new Applications.Teardown(
                        Optional.of("db"),
                        Applications.Teardown.Leftovers.BY_POLICY,
                        Optional.empty())),
            () -> yard.applications.rollback(ANN, new Applications.Ref("shop", PREVIEW), 1),
            () ->
                yard.applications.deprovision(
                    ANN,
                    new Applications.Ref("shop", PREVIEW),
                    new Applications.Teardown(
                        Optional.of("shop"),
                        Applications.Teardown.Leftovers.BY_POLICY,
                        Optional.empty())))) {
      assertThatThrownBy(asked::run)
          .isInstanceOf(RefusedException.class)
          .hasMessageContaining("belongs to a team that you cannot deploy for");
    }
    yard.settle();
    assertThat(yard.done).isEmpty();
    yard.resources.retry(ADMIN, db);
    yard.settle();
    assertThat(yard.done).contains("create db");
  }

  @Test
  void a_shared_one_is_changed_extended_and_deleted_by_operators_only() {
    create(ADMIN, PREVIEW);
    deploy(ANN, SHOP);
    for (Environments.Settings any :
        List.of(lasting(Duration.ofDays(9)), lasting(Duration.ofSeconds(1)))) {
      assertThat(refusal(() -> yard.environments.change(ANN, PREVIEW, any, Optional.empty())))
          .isInstanceOfSatisfying(
              Refusal.Forbidden.class, f -> assertThat(f.message()).contains("is shared"));
    }
    assertThat(
            refusal(
                () ->
                    yard.environments.delete(
                        ANN,
                        PREVIEW,
                        Environments.Cascade.TEAR_DOWN,
                        Optional.of(PREVIEW),
                        Optional.empty())))
        .isInstanceOf(Refusal.Forbidden.class);
    yard.environments.change(ADMIN, PREVIEW, lasting(Duration.ofDays(9)), Optional.empty());
  }

  private static final String WITH_TTL =
      SHOP.replace("metadata:", "environment: {type: preview, ttl: 2h}\nmetadata:");

  @Test
  void the_ttl_of_a_document_counts_when_the_request_makes_an_environment_of_its_team() {
    deploy(ANN, WITH_TTL);
    assertThat(yard.environments.show(ANN, PREVIEW).ttl()).isEqualTo(Duration.ofHours(2));
    deploy(ANN, WITH_TTL.replace("2h", "9h"));
    assertThat(yard.environments.show(ANN, PREVIEW).ttl()).isEqualTo(Duration.ofHours(2));
  }

  @Test
  void one_that_the_configuration_names_is_shared_and_lasts_whatever_a_document_says() {
    yard.config = EnvironmentsTest.config(List.of(PREVIEW), List.of());
    deploy(ANN, WITH_TTL);
    assertThat(owner(PREVIEW)).isEmpty();
    assertThat(yard.environments.show(ANN, PREVIEW).ttl()).isNull();
    deploy(BEN, WITH_TTL.replace("name: shop", "name: blog"));
    assertThat(refusal(() -> create(ANN, PREVIEW))).isInstanceOf(Refusal.Forbidden.class);
  }

  private static void sql(String statement) {
    yard.database.jdbi().useHandle(h -> h.execute(statement));
  }
}
