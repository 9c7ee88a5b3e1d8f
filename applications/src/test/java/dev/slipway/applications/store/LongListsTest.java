package dev.slipway.applications.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.applications.store.Applications.Filter;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Teams;
import dev.slipway.postgres.Page;
import dev.slipway.postgres.Total;
import dev.slipway.postgres.access.Approval;
import dev.slipway.postgres.access.ApprovalReader;
import dev.slipway.postgres.access.Approvals;
import dev.slipway.postgres.access.AuditLog;
import dev.slipway.postgres.overview.Statistics;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Lists and statistics beside 30,000 applications, 60 of them with 500 resources, and 30,000
 * approvals. What is read is counted in pages of tables and indexes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LongListsTest {
  private static final Caller TINY = team("tiny");
  private static final Caller TWO_TEAMS =
      new Caller(
          "ann", new Teams.Named(Set.of("tiny", "red")), new Teams.Named(Set.of("tiny", "red")));
  private static final Page.Ask FIFTY = Page.Ask.FIRST;

  private final Yard yard = new Yard();

  private static Caller team(String name) {
    Teams teams = new Teams.Named(Set.of(name));
    return new Caller("ann", teams, teams);
  }

  @BeforeAll
  void fill() {
    yard.database
        .jdbi()
        .useHandle(
            h -> {
              for (String table : List.of("applications", "resources", "approvals", "audit")) {
                h.execute("ALTER TABLE " + table + " SET (autovacuum_enabled = false)");
              }
              applications(h);
              resources(h);
              approvals(h);
              h.execute(
                  """
                  INSERT INTO audit (at, user_name, action, object, team, outcome)
                  SELECT now(), CASE WHEN n % 500 = 0 THEN 'ann' ELSE 'dora' END,
                         CASE WHEN n % 500 = 0 THEN 'rare' ELSE 'deploy' END,
                         CASE WHEN n % 500 = 0 THEN '/api/rare' ELSE '/api/applications' END,
                         'red', '200'
                    FROM generate_series(1, 30000) n
                  """);
              h.execute("VACUUM (ANALYZE)");
            });
  }

  private static void applications(Handle h) {
    h.execute(
        """
        INSERT INTO applications (id, environment, name, team, revision, state, created_by,
                                  created_at, updated_at, resource_count, active_count)
        SELECT gen_random_uuid(), 'default', 'app-' || n, CASE WHEN n % 500 = 0 THEN 'tiny' ELSE 'red' END,
               1, CASE WHEN n % 500 = 1 THEN 'failed' ELSE 'active' END, 'dora', now(), now(),
               CASE WHEN n % 500 = 0 THEN 500 ELSE 0 END, CASE WHEN n % 500 = 0 THEN 500 ELSE 0 END
          FROM generate_series(1, 30000) n
        """);
  }

  private static void resources(Handle h) {
    h.execute(
        """
        INSERT INTO resources (id, environment, identity, type, class, owner_id, name, defined_by,
                               team, desired_hash, state, state_since, created_at, updated_at)
        SELECT gen_random_uuid(), 'default', 'db.default#' || a.name || n, 'db', 'default', a.id,
               'r' || n, a.id, a.team, 'h', 'active', now(), now(), now()
          FROM applications a CROSS JOIN generate_series(1, 500) n WHERE a.team = 'tiny'
        """);
    h.execute(
        """
        INSERT INTO resource_users (resource_id, application_id, name, since)
        SELECT id, owner_id, name, now() FROM resources
        """);
  }

  /** One in five hundred names Ann; one in five hundred is of the small team; 60 are pending. */
  private static void approvals(Handle h) {
    h.execute(
        """
        INSERT INTO approvals (id, kind, environment, team, hash, message, users, requested_by,
                               state, expires_at, created_at)
        SELECT gen_random_uuid(), 'step', 'default', CASE WHEN n % 500 = 0 THEN 'tiny' ELSE 'red' END,
               'h', 'm', CASE WHEN n % 500 = 1 THEN ARRAY['ann'] ELSE '{}' END, 'dora',
               CASE WHEN n % 500 = 2 THEN 'pending' ELSE 'granted' END, now(), now()
          FROM generate_series(1, 30000) n
        """);
  }

  @AfterAll
  void close() {
    yard.close();
  }

  @Test
  void a_page_of_applications_reads_no_resources() {
    Page<Applications.Summary> page =
        reading(Set.of("resources", "resource_users"), 0, () -> list(TINY, Filter.ALL, FIFTY));
    assertThat(page.data()).hasSize(50).allMatch(a -> a.resources() == 500 && a.active() == 500);
    assertThat(page.total()).isEqualTo(60);
  }

  @Test
  void a_page_of_applications_reads_the_page_and_what_it_counts() {
    Filter failed = new Filter(Optional.empty(), Optional.empty(), Optional.of("failed"));
    Filter tiny = new Filter(Optional.empty(), Optional.of("tiny"), Optional.empty());
    Page.Ask middle = new Page.Ask(50, Optional.of("default/app-2"));
    Set<String> table = Set.of("applications");
    assertThat(reading(table, 400, () -> list(TINY, Filter.ALL, FIFTY)).total()).isEqualTo(60);
    assertThat(reading(table, 400, () -> list(Yard.ADMIN, tiny, FIFTY)).total()).isEqualTo(60);
    assertThat(reading(table, 400, () -> list(Yard.ADMIN, failed, FIFTY)).total()).isEqualTo(60);
    assertThat(reading(table, 12_000, () -> list(Yard.ADMIN, Filter.ALL, middle)).data())
        .hasSize(50)
        .allMatch(a -> a.name().compareTo("app-2") > 0);
    assertThat(reading(table, 12_000, () -> list(TWO_TEAMS, Filter.ALL, FIFTY)).total())
        .isEqualTo(Total.MOST + 1);
    assertThat(list(team("blue"), Filter.ALL, FIFTY).data()).isEmpty();
    Filter red = new Filter(Optional.empty(), Optional.of("red"), Optional.empty());
    assertThat(list(TINY, red, FIFTY).data()).isEmpty();
  }

  @Test
  void pages_of_several_teams_follow_each_other_without_gap_or_repetition() {
    Filter failed = new Filter(Optional.empty(), Optional.empty(), Optional.of("failed"));
    Page.Ask ask = new Page.Ask(7, Optional.empty());
    List<String> names = new ArrayList<>();
    Page<Applications.Summary> page = list(TWO_TEAMS, failed, ask);
    page.data().forEach(a -> names.add(a.name()));
    while (page.next().isPresent()) {
      page = list(TWO_TEAMS, failed, new Page.Ask(7, page.next()));
      page.data().forEach(a -> names.add(a.name()));
    }
    assertThat(names).hasSize(60).doesNotHaveDuplicates().isSorted();
  }

  @Test
  void an_application_that_no_turn_has_counted_is_counted_by_the_list_and_by_housekeeping() {
    yard.database
        .jdbi()
        .useTransaction(
            h -> {
              h.execute(
                  "UPDATE applications SET resource_count = NULL, active_count = NULL"
                      + " WHERE name = 'app-500'");
              h.execute("UPDATE applications SET active_count = 3 WHERE name = 'app-1000'");
            });
    Applications.Summary uncounted =
        list(TINY, Filter.ALL, new Page.Ask(100, Optional.empty())).data().stream()
            .filter(a -> a.name().equals("app-500"))
            .findFirst()
            .orElseThrow();
    assertThat(uncounted.active()).isEqualTo(500);
    ResourceCounts counts = new ResourceCounts(yard.database.jdbi());
    int corrected = 0;
    Optional<ResourceCounts.Pass> pass = counts.next(ResourceCounts.Pass.START, 500);
    while (pass.isPresent()) {
      corrected += pass.get().corrected();
      pass = counts.next(pass.get(), 500);
    }
    assertThat(corrected).isEqualTo(2);
    assertThat(list(TINY, Filter.ALL, FIFTY).data()).allMatch(a -> a.active() == 500);
  }

  @Test
  void a_page_of_approvals_reads_a_page() {
    Set<String> table = Set.of("approvals");
    ApprovalReader admin = new ApprovalReader("root", new Teams.Every(), new Teams.Every());
    ApprovalReader ann = new ApprovalReader("ann", TINY.sees(), new Teams.Named(Set.of()));
    assertThat(reading(table, 400, () -> approvals(admin, "pending")).total()).isEqualTo(60);
    assertThat(reading(table, 400, () -> approvals(ann, "granted")).total()).isEqualTo(120);
    assertThat(reading(table, 400, () -> approvals(ann, null)).data()).hasSize(50);
    assertThat(reading(table, 12_000, () -> approvals(admin, null)).total())
        .isEqualTo(Total.MOST + 1);
  }

  @Test
  void a_page_of_the_audit_log_reads_a_page_whatever_is_asked_for() {
    AuditLog log = new AuditLog(yard.database.jdbi());
    for (AuditLog.Filter filter :
        List.of(
            new AuditLog.Filter("ann", null, null),
            new AuditLog.Filter(null, "rare", null),
            new AuditLog.Filter(null, null, "/api/rare"))) {
      Page<AuditLog.Entry> page = reading(Set.of("audit"), 400, () -> log.list(filter, null, 50));
      assertThat(page.total()).isEqualTo(60);
      assertThat(page.data()).hasSize(50);
    }
  }

  @Test
  void pages_of_approvals_hold_each_one_once_and_newest_first() {
    ApprovalReader ann = new ApprovalReader("ann", TINY.sees(), new Teams.Named(Set.of()));
    List<UUID> seen = new ArrayList<>();
    Approvals approvals = new Approvals(yard.database.jdbi());
    Page<Approval> page = approvals.list(ann, null, null, 50);
    page.data().forEach(a -> seen.add(a.id()));
    while (page.next().isPresent()) {
      page = approvals.list(ann, null, UUID.fromString(page.next().get()), 50);
      page.data().forEach(a -> seen.add(a.id()));
    }
    List<String> texts = seen.stream().map(UUID::toString).toList();
    assertThat(texts)
        .hasSize(120)
        .doesNotHaveDuplicates()
        .isEqualTo(texts.stream().sorted(Comparator.reverseOrder()).toList());
  }

  @Test
  void statistics_read_no_more_than_they_count_and_say_where_they_stopped() {
    Statistics statistics = new Statistics(yard.database.jdbi(), StateCounts.ROWS);
    Set<String> tables = Set.of("applications", "resources", "approvals");
    Statistics.Counts all = reading(tables, 25_000, () -> statistics.counts(new Teams.Every()));
    assertThat(all.objects().get("resources")).containsEntry("active", (long) Statistics.MOST);
    assertThat(all.pendingApprovals()).isEqualTo(60);
    assertThat(all.atLeast()).contains("applications", "resources");
    Statistics.Counts few =
        reading(tables, 400, () -> statistics.counts(new Teams.Named(Set.of("no-such-team"))));
    assertThat(few.objects().get("applications")).isEmpty();
    assertThat(few.atLeast()).isEmpty();
    Statistics.Counts tiny = statistics.counts(TINY.sees());
    assertThat(tiny.objects().get("applications")).containsEntry("active", 60L);
    assertThat(tiny.objects().get("resources").get("active")).isEqualTo(Statistics.MOST);
  }

  private Page<Applications.Summary> list(Caller caller, Filter filter, Page.Ask page) {
    return yard.applications.list(caller, filter, page);
  }

  private Page<Approval> approvals(ApprovalReader reader, String state) {
    return new Approvals(yard.database.jdbi()).list(reader, state, null, 50);
  }

  /** Seven times, since PostgreSQL may change to a plan for any values after six. */
  private <T> T reading(Set<String> tables, long mostPages, Supplier<T> work) {
    return yard.database
        .jdbi()
        .withHandle(
            h -> {
              for (int i = 0; i < 6; i++) {
                Objects.requireNonNull(work.get());
              }
              long before = pages(h, tables);
              T result = work.get();
              assertThat(pages(h, tables) - before).isLessThanOrEqualTo(mostPages);
              return result;
            });
  }

  private static long pages(Handle handle, Set<String> tables) {
    handle.execute("SELECT pg_stat_force_next_flush()");
    return handle
        .createQuery(
            """
            SELECT sum(heap_blks_hit + heap_blks_read + coalesce(idx_blks_hit + idx_blks_read, 0))
              FROM pg_statio_user_tables WHERE relname = ANY (:tables)
            """)
        .bind("tables", tables.toArray(String[]::new))
        .mapTo(Long.class)
        .one();
  }
}
