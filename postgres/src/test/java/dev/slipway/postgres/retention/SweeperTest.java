package dev.slipway.postgres.retention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleConsumer;
import org.jdbi.v3.core.statement.SqlStatements;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows go when they are older than the configuration keeps them and nothing needs them. */
class SweeperTest {
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
  void keys_and_sessions_go_some_time_after_their_end() {
    sql("INSERT INTO users (name, created_at) VALUES ('dora', now())");
    key("in-use", null, null);
    key("revoked", YEARS_AGO, null);
    key("expired", null, YEARS_AGO);
    key("just-revoked", YESTERDAY, YEARS_AGO.plus(Duration.ofDays(5000)));
    sql(
        "INSERT INTO login_sessions VALUES (gen_random_uuid(), 'dora', '\\x01', now(), '"
            + YEARS_AGO
            + "')");
    sweepAll();
    assertThat(texts("SELECT name FROM api_keys ORDER BY name"))
        .containsExactly("in-use", "just-revoked");
    assertThat(texts("SELECT user_name FROM login_sessions")).isEmpty();
  }

  @Test
  void approvals_stay_as_long_as_the_run_that_they_are_about() {
    UUID run = run();
    approval("known", run, YEARS_AGO);
    approval("unknown", UUID.randomUUID(), YEARS_AGO);
    approval("young", UUID.randomUUID(), YESTERDAY);
    sweep(TrunkSweeps.APPROVALS);
    assertThat(texts("SELECT message FROM approvals ORDER BY message"))
        .containsExactly("known", "young");
    assertThat(texts("SELECT count(*)::text FROM approval_votes")).containsExactly("2");
  }

  @Test
  void states_go_some_time_after_their_workspace_was_lost() {
    state("lost", YEARS_AGO);
    state("just-lost", YESTERDAY);
    state("there", YEARS_AGO);
    sql("INSERT INTO module_workspaces (key, provider) VALUES ('there', 'tools')");
    sweepAll();
    assertThat(texts("SELECT workspace FROM module_states ORDER BY workspace"))
        .containsExactly("just-lost", "there");
  }

  @Test
  void the_health_of_a_node_stays_until_it_was_not_seen_for_as_long_as_deleted_nodes_are_kept() {
    health("buoy:elbe", NOW.minus(Duration.ofDays(89)));
    health("buoy:weser", NOW.minus(Duration.ofDays(91)));
    sweep(TrunkSweeps.NODE_HEALTH);
    assertThat(texts("SELECT node FROM node_health")).containsExactly("buoy:elbe");
  }

  @Test
  void the_health_of_a_node_stays_longer_than_any_interval_between_two_looks() {
    AdminConfig.Retention hour =
        new AdminConfig.Retention(
            KEPT.plans(),
            KEPT.audit(),
            Duration.ofHours(1),
            KEPT.history(),
            KEPT.credentials(),
            3,
            3);
    health("buoy:elbe", NOW.minus(AdminConfig.Observe.LONGEST).minus(Duration.ofDays(1)));
    health("buoy:weser", NOW.minus(Duration.ofDays(15)));
    assertThat(sweeper.next(TrunkSweeps.NODE_HEALTH, hour, NOW))
        .isEqualTo(new Sweeper.Step.Removed(1));
    assertThat(texts("SELECT node FROM node_health")).containsExactly("buoy:elbe");
  }

  @Test
  void the_newest_changes_of_health_of_a_node_stay_however_old_while_the_node_is_known() {
    health("buoy:elbe", NOW);
    for (int i = 0; i < Sweep.NEWEST + 5; i++) {
      change("buoy:elbe", YEARS_AGO);
      change("buoy:sunk", YEARS_AGO);
      change("buoy:busy", YESTERDAY);
    }
    sweep(TrunkSweeps.HEALTH_HISTORY);
    String count = "SELECT count(*)::text FROM health_history WHERE node = 'buoy:%s'";
    assertThat(texts(count.formatted("elbe"))).containsExactly("" + Sweep.NEWEST);
    assertThat(texts(count.formatted("sunk"))).containsExactly("0");
    assertThat(texts(count.formatted("busy"))).containsExactly("" + (Sweep.NEWEST + 5));
    assertThat(texts("SELECT min(id)::text FROM health_history WHERE node = 'buoy:elbe'"))
        .containsExactly("16");
  }

  @Test
  void an_audit_entry_stays_while_a_hold_keeps_it() {
    audit("/api/applications/shop", "red", YEARS_AGO);
    audit("/api/applications/shop/rollback", "red", YEARS_AGO);
    audit("/api/applications/shopping", "red", YEARS_AGO);
    audit("/api/teams", "blue", YEARS_AGO);
    audit("/api/users", "green", YEARS_AGO.plus(Duration.ofDays(10)));
    audit("/api/users", "grey", YEARS_AGO);
    audit("/api/users", "young", YESTERDAY);
    AuditHolds holds = new AuditHolds(database.jdbi());
    UUID object = hold(holds, new AuditHolds.Scope(null, "/api/applications/shop", null, null));
    hold(holds, new AuditHolds.Scope("blue", null, null, null));
    Instant later = YEARS_AGO.plus(Duration.ofDays(5));
    hold(holds, new AuditHolds.Scope(null, null, later, later.plus(Duration.ofDays(9))));
    sweep(TrunkSweeps.AUDIT);
    String kept = "SELECT team || ' ' || object FROM audit ORDER BY 1";
    assertThat(texts(kept))
        .containsExactly(
            "blue /api/teams",
            "green /api/users",
            "red /api/applications/shop",
            "red /api/applications/shop/rollback",
            "young /api/users");
    assertThat(holds.lift(object, "root", NOW)).get().matches(h -> h.liftedAt() != null);
    UUID everything = hold(holds, new AuditHolds.Scope(null, null, null, null));
    sweep(TrunkSweeps.AUDIT);
    assertThat(texts(kept)).hasSize(5);
    holds.lift(everything, "root", NOW);
    sweep(TrunkSweeps.AUDIT);
    assertThat(texts(kept))
        .containsExactly("blue /api/teams", "green /api/users", "young /api/users");
    assertThat(holds.all()).hasSize(4);
  }

  @Test
  void a_second_replica_leaves_a_batch_to_the_first() {
    lease("old", YEARS_AGO);
    database
        .jdbi()
        .useTransaction(
            h -> {
              h.execute("SELECT pg_advisory_xact_lock(?)", Sweeper.LOCK);
              Sweeper other = new Sweeper(database.jdbi(), 2);
              assertThat(onAnotherThread(() -> other.next(TrunkSweeps.LEASES, KEPT, NOW)))
                  .isEqualTo(new Sweeper.Step.Busy());
            });
    assertThat(sweeper.next(TrunkSweeps.LEASES, KEPT, NOW)).isEqualTo(new Sweeper.Step.Finished(1));
  }

  @Test
  void a_row_that_a_transaction_holds_is_left_for_the_next_time_and_not_waited_for() {
    lease("old", YEARS_AGO);
    database
        .jdbi()
        .useTransaction(
            h -> {
              h.execute("SELECT 1 FROM leases WHERE name = 'old' FOR UPDATE");
              assertThat(onAnotherThread(() -> sweeper.next(TrunkSweeps.LEASES, KEPT, NOW)))
                  .isEqualTo(new Sweeper.Step.Finished(0));
            });
    assertThat(sweeper.next(TrunkSweeps.LEASES, KEPT, NOW)).isEqualTo(new Sweeper.Step.Finished(1));
  }

  static List<Sweep> all() {
    return Sweep.all(List.of());
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

  private static <T> T onAnotherThread(Supplier<T> work) {
    return CompletableFuture.supplyAsync(work).join();
  }

  private void sweepAll() {
    Sweep.all(List.of()).forEach(this::sweep);
  }

  private void sweep(Sweep sweep) {
    while (sweeper.next(sweep, KEPT, NOW) instanceof Sweeper.Step.Removed) {
      assertThat(sweep.name()).isNotEmpty();
    }
  }

  private UUID run() {
    UUID id = UUID.randomUUID();
    use(
        h ->
            h.execute(
                "INSERT INTO runs (id, kind, definition_hash, provider, workflow, environment,"
                    + " team, inputs, state, created_by, created_at) VALUES (?, 'platform', '', '',"
                    + " '', 'default', 'red', '{}', 'pending', 'dora', now())",
                id));
    return id;
  }

  private void lease(String name, Instant until) {
    use(h -> h.execute("INSERT INTO leases VALUES (?, 'a replica', 1, ?)", name, until));
  }

  private void health(String node, Instant sampledAt) {
    use(
        h ->
            h.execute(
                "INSERT INTO node_health (node, health, revision, sampled_at, since, seen, rule)"
                    + " VALUES (?, 'Healthy', '1', ?, ?, true, 'read')",
                node,
                sampledAt,
                sampledAt));
  }

  private void change(String node, Instant at) {
    use(
        h ->
            h.execute(
                "INSERT INTO health_history (node, at, health, revision) VALUES (?, ?, 'Healthy',"
                    + " '1')",
                node,
                at));
  }

  private void state(String workspace, Instant at) {
    use(
        h ->
            h.execute(
                "INSERT INTO module_states VALUES (?, 1, gen_random_uuid(), gen_random_uuid(), 's',"
                    + " false, '', ?)",
                workspace,
                at));
  }

  private void approval(String message, UUID run, Instant at) {
    UUID id = UUID.randomUUID();
    use(
        h -> {
          h.execute(
              "INSERT INTO approvals (id, kind, run_id, environment, team, hash, message,"
                  + " requested_by, state, expires_at, created_at) VALUES (?, 'plan', ?,"
                  + " 'default', 'red', 'h', ?, 'dora', 'granted', ?, ?)",
              id,
              run,
              message,
              at,
              at);
          h.execute("INSERT INTO approval_votes VALUES (?, 'ann', 'approve', '', ?)", id, at);
        });
  }

  private void key(String name, Instant revoked, Instant expires) {
    use(
        h ->
            h.execute(
                "INSERT INTO api_keys (id, user_name, name, hash, created_at, revoked_at,"
                    + " expires_at) VALUES (gen_random_uuid(), 'dora', ?, ?, now(), ?, ?)",
                name,
                name.getBytes(StandardCharsets.UTF_8),
                revoked,
                expires));
  }

  private void audit(String object, String team, Instant at) {
    use(
        h ->
            h.execute(
                "INSERT INTO audit (at, user_name, action, object, team, outcome)"
                    + " VALUES (?, 'dora', 'deploy', ?, ?, '200')",
                at,
                object,
                team));
  }

  private static UUID hold(AuditHolds holds, AuditHolds.Scope scope) {
    UUID id = UUID.randomUUID();
    holds.set(new AuditHolds.Hold(id, "case 7", scope, "root", NOW, null, null));
    return id;
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
