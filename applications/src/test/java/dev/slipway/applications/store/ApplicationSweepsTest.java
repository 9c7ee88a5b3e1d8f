package dev.slipway.applications.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.retention.Sweep;
import dev.slipway.postgres.retention.Sweeper;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleConsumer;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows of applications go when they are older than they are kept and nothing needs them. */
class ApplicationSweepsTest {
  private static final Instant NOW = Instant.parse("2026-06-01T00:00:00Z");
  private static final Instant YEARS_AGO = NOW.minus(Duration.ofDays(1000));
  private static final Instant YESTERDAY = NOW.minus(Duration.ofDays(1));
  private static final AdminConfig.Retention KEPT =
      new AdminConfig.Retention(
          Duration.ofDays(30),
          Duration.ofDays(730),
          Duration.ofDays(90),
          Duration.ofDays(90),
          Duration.ofDays(30),
          3,
          3);

  private Database database;
  private Sweeper sweeper;

  @BeforeEach
  void open() {
    database = MigratedDatabase.open();
    sweeper = new Sweeper(database.jdbi(), 2);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void a_plan_stays_while_a_deployment_or_a_revision_has_it() {
    UUID shop = application("shop", null);
    for (String hash : List.of("old", "deployed", "revised")) {
      plan(hash, YEARS_AGO);
    }
    plan("young", YESTERDAY);
    deployment(shop, 1, "completed", "deployed", YESTERDAY);
    revision(shop, 1, "revised");
    sweep(ApplicationSweeps.PLANS);
    assertThat(texts("SELECT hash FROM plans ORDER BY hash"))
        .containsExactly("deployed", "revised", "young");
  }

  @Test
  void the_newest_revisions_stay_and_with_them_the_one_in_force_and_those_that_wait() {
    UUID shop = application("shop", null);
    for (int revision = 1; revision <= 9; revision++) {
      revision(shop, revision, "p" + revision);
    }
    sql("UPDATE applications SET revision = 2");
    deployment(shop, 4, "waiting", "p4", YEARS_AGO);
    sweep(ApplicationSweeps.APPLICATIONS);
    assertThat(texts("SELECT revision::text FROM revisions ORDER BY revision"))
        .containsExactly("2", "4", "7", "8", "9");
  }

  @Test
  void the_newest_deployments_stay_and_with_them_the_one_in_force_and_those_under_way() {
    UUID shop = application("shop", null);
    for (int day = 1; day <= 9; day++) {
      String status = day == 1 ? "completed" : day == 3 ? "waiting" : "superseded";
      deployment(shop, day, status, "p", YEARS_AGO.plus(Duration.ofDays(day)));
    }
    sweep(ApplicationSweeps.APPLICATIONS);
    assertThat(texts("SELECT revision::text FROM deployments ORDER BY revision"))
        .containsExactly("1", "3", "7", "8", "9");
  }

  @Test
  void what_was_deleted_long_ago_goes_with_all_that_is_its_own() {
    UUID shop = application("shop", YEARS_AGO);
    UUID young = application("young", YESTERDAY);
    UUID old = resource(shop, "old", "deleted", YEARS_AGO);
    UUID kept = resource(shop, "retained", "active", YEARS_AGO);
    UUID recent = resource(young, "recent", "deleted", YESTERDAY);
    for (UUID resource : List.of(old, kept, recent)) {
      transition(resource, YEARS_AGO);
      workspace("resource/" + resource + "/net", resource);
    }
    workspace("named/tools/default/shared", old);
    sweepAll();
    assertThat(texts("SELECT name FROM resources ORDER BY name"))
        .containsExactly("recent", "retained");
    assertThat(texts("SELECT DISTINCT resource_id::text FROM resource_transitions"))
        .containsExactlyInAnyOrder(kept.toString(), recent.toString());
    assertThat(texts("SELECT workspace FROM module_states"))
        .containsExactlyInAnyOrder(
            "named/tools/default/shared",
            "resource/" + kept + "/net",
            "resource/" + recent + "/net");
    // The application owns a resource that was retained, so it stays too.
    assertThat(texts("SELECT name FROM applications ORDER BY name"))
        .containsExactly("shop", "young");
    sql("UPDATE resources SET state = 'deleted', wanted = false WHERE name = 'retained'");
    revision(shop, 1, "p");
    deployment(shop, 1, "completed", "p", YEARS_AGO);
    sweepAll();
    assertThat(texts("SELECT name FROM applications")).containsExactly("young");
    assertThat(texts("SELECT plan_hash FROM revisions UNION SELECT plan_hash FROM deployments"))
        .isEmpty();
  }

  @Test
  void a_resource_whose_module_is_being_worked_on_stays() {
    UUID shop = application("shop", null);
    UUID old = resource(shop, "old", "deleted", YEARS_AGO);
    workspace("module", old);
    sql("UPDATE module_workspaces SET lock_id = gen_random_uuid()");
    sweep(ApplicationSweeps.RESOURCES);
    assertThat(texts("SELECT name FROM resources")).containsExactly("old");
  }

  @Test
  void the_newest_transitions_of_a_resource_stay_however_old() {
    UUID shop = application("shop", null);
    UUID db = resource(shop, "db", "active", YEARS_AGO);
    for (int i = 0; i < Sweep.NEWEST + 5; i++) {
      transition(db, YEARS_AGO);
    }
    UUID busy = resource(shop, "busy", "active", YESTERDAY);
    for (int i = 0; i < Sweep.NEWEST + 5; i++) {
      transition(busy, YESTERDAY);
    }
    sweep(ApplicationSweeps.TRANSITIONS_OF_RESOURCES);
    String count = "SELECT count(*)::text FROM resource_transitions WHERE resource_id = '%s'";
    assertThat(texts(count.formatted(db))).containsExactly("" + Sweep.NEWEST);
    assertThat(texts(count.formatted(busy))).containsExactly("" + (Sweep.NEWEST + 5));
  }

  @Test
  void approvals_stay_as_long_as_the_deployment_that_they_are_about() {
    UUID shop = application("shop", null);
    UUID known = deployment(shop, 1, "completed", "p", YEARS_AGO);
    approval("known", known, YEARS_AGO);
    approval("unknown", UUID.randomUUID(), YEARS_AGO);
    approval("young", UUID.randomUUID(), YESTERDAY);
    sweep(ApplicationSweeps.APPROVALS);
    assertThat(texts("SELECT message FROM approvals ORDER BY message"))
        .containsExactly("known", "young");
    assertThat(texts("SELECT count(*)::text FROM approval_votes")).containsExactly("2");
  }

  @Test
  void states_of_modules_go_some_time_after_their_resource() {
    UUID gone = UUID.randomUUID();
    UUID justGone = UUID.randomUUID();
    workspace("resource/" + gone + "/net", gone);
    workspace("named/tools/default/shared", gone);
    sql("UPDATE module_states SET written_at = '" + YEARS_AGO + "'");
    workspace("resource/" + justGone + "/net", justGone);
    sweepAll();
    assertThat(texts("SELECT key FROM module_workspaces ORDER BY key"))
        .containsExactly("named/tools/default/shared", "resource/" + justGone + "/net");
    assertThat(texts("SELECT workspace FROM module_states ORDER BY workspace"))
        .containsExactly("named/tools/default/shared", "resource/" + justGone + "/net");
  }

  static List<Sweep> all() {
    return ApplicationSweeps.ALL;
  }

  /** Whatever the table holds: a batch begins at a key of an index. */
  @ParameterizedTest
  @MethodSource("all")
  void a_batch_finds_its_keys_in_an_index(Sweep sweep) {
    String plan =
        database
            .jdbi()
            .withHandle(
                h -> {
                  h.execute("SET enable_seqscan = off");
                  h.execute("SET enable_bitmapscan = off");
                  return String.join(
                      "\n",
                      h.createQuery("EXPLAIN " + sweep.look())
                          .configure(SqlStatements.class, c -> c.setUnusedBindingAllowed(true))
                          .bind("after", sweep.start())
                          .bind("before", NOW)
                          .bind("count", 10)
                          .mapTo(String.class)
                          .list());
                });
    assertThat(plan).contains("Index").doesNotContain("Sort", "Seq Scan");
  }

  // ---------------------------------------------------------------- rows

  private void sweepAll() {
    Sweep.all(ApplicationSweeps.ALL).forEach(this::sweep);
  }

  private void sweep(Sweep sweep) {
    while (sweeper.next(sweep, KEPT, NOW) instanceof Sweeper.Step.Removed) {
      assertThat(sweep.name()).isNotEmpty();
    }
  }

  private UUID application(String name, @Nullable Instant deleted) {
    UUID id = UUID.randomUUID();
    use(
        h ->
            h.execute(
                "INSERT INTO applications (id, environment, name, team, revision, state,"
                    + " created_by, created_at, updated_at, deleted_at) VALUES (?, 'default', ?,"
                    + " 'red', 1, 'active', 'dora', now(), now(), ?)",
                id,
                name,
                deleted));
    return id;
  }

  private UUID resource(UUID owner, String name, String state, Instant since) {
    UUID id = UUID.randomUUID();
    use(
        h -> {
          h.execute(
              "INSERT INTO resources (id, environment, identity, type, class, owner_id, name,"
                  + " defined_by, team, desired_hash, wanted, state, state_since, created_at,"
                  + " updated_at) VALUES (?, 'default', ?, 'db', 'default', ?, ?, ?, 'red', 'h', ?,"
                  + " ?, ?, now(), now())",
              id,
              "db.default#" + name,
              owner,
              name,
              owner,
              !state.equals("deleted"),
              state,
              since);
          h.execute(
              "INSERT INTO resource_users (resource_id, application_id, name, since)"
                  + " SELECT ?, id, ?, now() FROM applications"
                  + " WHERE id = ? AND deleted_at IS NOT NULL",
              id,
              name,
              owner);
        });
    return id;
  }

  private void transition(UUID resource, Instant at) {
    use(
        h ->
            h.execute(
                "INSERT INTO resource_transitions (resource_id, incarnation, to_state, actor,"
                    + " reason, at) VALUES (?, 1, 'active', 'run', 'test', ?)",
                resource,
                at));
  }

  private void workspace(String key, UUID resource) {
    use(
        h -> {
          h.execute(
              "INSERT INTO module_workspaces (key, provider, resource_id, version)"
                  + " VALUES (?, 'tools', ?, 1)",
              key,
              resource);
          h.execute(
              "INSERT INTO module_states VALUES (?, 1, gen_random_uuid(), gen_random_uuid(), 's',"
                  + " false, '', ?)",
              key,
              YESTERDAY);
        });
  }

  private void plan(String hash, Instant at) {
    use(
        h ->
            h.execute(
                "INSERT INTO plans VALUES (?, 'default', 'shop', 'red', '{}', 'dora', ?)",
                hash,
                at));
  }

  private void revision(UUID application, int revision, String plan) {
    use(
        h ->
            h.execute(
                "INSERT INTO revisions VALUES (?, ?, '{}', 'h', '{}', '{}', ?, 'dora', now())",
                application,
                revision,
                plan));
  }

  private UUID deployment(UUID application, int revision, String status, String plan, Instant at) {
    UUID id = UUID.randomUUID();
    use(
        h ->
            h.execute(
                "INSERT INTO deployments (id, application_id, revision, kind, status, plan_hash,"
                    + " created_by, created_at, applied_at) VALUES (?, ?, ?, 'deploy', ?, ?,"
                    + " 'dora', ?, ?)",
                id,
                application,
                revision,
                status,
                plan,
                at,
                status.equals("waiting") ? null : at));
    return id;
  }

  private void approval(String message, UUID deployment, Instant at) {
    UUID id = UUID.randomUUID();
    use(
        h -> {
          h.execute(
              "INSERT INTO approvals (id, kind, deployment_id, environment, team, hash, message,"
                  + " requested_by, state, expires_at, created_at) VALUES (?, 'plan', ?,"
                  + " 'default', 'red', 'h', ?, 'dora', 'granted', ?, ?)",
              id,
              deployment,
              message,
              at,
              at);
          h.execute("INSERT INTO approval_votes VALUES (?, 'ann', 'approve', '', ?)", id, at);
        });
  }

  private void use(HandleConsumer<RuntimeException> work) {
    database.jdbi().useHandle(work);
  }

  private void sql(String sql) {
    use(h -> h.execute(sql));
  }

  private List<String> texts(String sql) {
    return database.jdbi().withHandle((Handle h) -> h.createQuery(sql).mapTo(String.class).list());
  }
}
