package dev.slipway.postgres.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.postgres.Database;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.Test;

/** What goes and what stays. */
class RetentionTest {
  private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");
  private static final Instant BEFORE = Instant.parse("2021-01-01T00:00:00Z");

  @Test
  void what_something_refers_to_stays_and_all_that_belongs_to_the_rest_goes() {
    TestDatabase test = TestPostgres.freshDatabase();
    try (Database database =
        Database.open(new Database.Address(test.jdbcUrl(), test.user(), test.password()), 2)) {
      Retention retention = new Retention(database.jdbi(), Map.of("buoy", RetentionTest::needed));
      database
          .jdbi()
          .useHandle(
              h -> {
                run(h, 1, "resource", "succeeded", "buoy:weser", null);
                run(h, 2, "child", "succeeded", "buoy:weser", 1);
                run(h, 3, "resource", "succeeded", "buoy:elbe", null);
                run(h, 4, "child", "succeeded", "buoy:elbe", 3);
                run(h, 5, "golden-path", "failed", null, null);
                run(h, 6, "golden-path", "waiting", null, 5);
                run(h, 7, "golden-path", "failed", null, null);
                run(h, 8, "rollback", "succeeded", null, 7);
                run(h, 9, "platform", "succeeded", "lock:of-an-absent-branch", null);
                run(h, 10, "platform", "succeeded", null, null);
                belongings(h, 7);
                belongings(h, 3);
              });
      Optional<Retention.Pass> pass = retention.next(Retention.Pass.START, BEFORE, 3);
      while (pass.isPresent()) {
        pass = retention.next(pass.get(), BEFORE, 3);
      }
      assertThat(left(database, "SELECT id FROM runs ORDER BY 1"))
          .containsExactly(id(3), id(4), id(5), id(6), id(9));
      for (String table : List.of("steps", "attempts", "step_logs", "approvals")) {
        assertThat(left(database, "SELECT run_id FROM " + table)).as(table).containsExactly(id(3));
      }
      assertThat(left(database, "SELECT approval_id FROM approval_votes")).containsExactly(id(3));
    }
  }

  @Test
  void a_definition_is_removed_when_no_run_executes_it_and_no_transaction_inserts_runs() {
    TestDatabase test = TestPostgres.freshDatabase();
    try (Database database =
        Database.open(new Database.Address(test.jdbcUrl(), test.user(), test.password()), 2)) {
      Retention retention = new Retention(database.jdbi(), Map.of());
      database
          .jdbi()
          .useHandle(
              h -> {
                run(h, 1, "platform", "succeeded", null, null);
                h.execute("INSERT INTO definitions VALUES ('d', '{}', ?)", LONG_AGO);
                h.execute("INSERT INTO definitions VALUES ('unused', '{}', ?)", LONG_AGO);
                h.execute("INSERT INTO definitions VALUES ('new', '{}', ?)", BEFORE);
              });
      database
          .jdbi()
          .useTransaction(
              maker -> {
                maker.execute(
                    "INSERT INTO definitions VALUES ('d', '{}', now()) ON CONFLICT DO NOTHING");
                CompletableFuture<Integer> meanwhile =
                    CompletableFuture.supplyAsync(
                        () -> retention.removeDefinitions(BEFORE, Instant.now()));
                assertThat(meanwhile.join()).isZero();
              });
      assertThat(retention.removeDefinitions(BEFORE, Instant.now())).isOne();
      List<String> hashes =
          database
              .jdbi()
              .withHandle(
                  h ->
                      h.createQuery("SELECT hash FROM definitions ORDER BY 1")
                          .mapTo(String.class)
                          .list());
      assertThat(hashes).containsExactly("d", "new");
    }
  }

  private static List<UUID> left(Database database, String sql) {
    return database.jdbi().withHandle(h -> h.createQuery(sql).mapTo(UUID.class).list());
  }

  private static UUID id(int number) {
    return new UUID(LONG_AGO.plusSeconds(number).toEpochMilli() << 16 | 0x7000, number);
  }

  private static void run(
      Handle h, int number, String kind, String state, String root, Integer parent) {
    h.createUpdate(
            """
            INSERT INTO runs (id, kind, definition_hash, provider, workflow, environment, team,
                              inputs, state, created_by, created_at, finished_at, root,
                              parent_run_id)
            VALUES (:id, :kind, 'd', 'tools', 'quick', 'default', 'red', '{}', :state, 'dora', :at,
                    CASE WHEN :state <> 'waiting' THEN CAST(:at AS timestamptz) END, :root,
                    :parent)
            """)
        .bind("id", id(number))
        .bind("kind", kind)
        .bind("state", state)
        .bind("at", LONG_AGO)
        .bindByType("root", root, String.class)
        .bindByType("parent", parent == null ? null : id(parent), UUID.class)
        .execute();
  }

  /** As a branch answers. */
  private static Set<UUID> needed(Handle tx, List<UUID> runs) {
    assertThat(runs).isSubsetOf(id(1), id(3));
    return Set.of(id(3));
  }

  private static void belongings(Handle h, int number) {
    for (String sql :
        List.of(
            "INSERT INTO steps (run_id, name, state) VALUES (:id, 'a', 'failed')",
            "INSERT INTO attempts (run_id, step, attempt, error, finished_at) VALUES (:id, 'a', 1,"
                + " '{}', now())",
            "INSERT INTO step_logs VALUES (:id, 'a', 1, 1, 1, now(), '{}')",
            "INSERT INTO approvals (id, kind, run_id, step, environment, team, hash, message,"
                + " requested_by, state, expires_at, created_at) VALUES (:id, 'step', :id, 'a',"
                + " 'default', 'red', 'h', 'm', 'dora', 'granted', now(), now())",
            "INSERT INTO approval_votes VALUES (:id, 'paul', 'approve', '', now())")) {
      h.createUpdate(sql).bind("id", id(number)).execute();
    }
  }
}
