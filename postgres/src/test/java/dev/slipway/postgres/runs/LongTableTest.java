package dev.slipway.postgres.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.access.Teams;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.Total;
import dev.slipway.postgres.overview.RunFilter;
import dev.slipway.postgres.overview.RunList;
import dev.slipway.postgres.overview.Statistics;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.HandleConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A table in which nearly all runs have ended: 200,000 of them, or as many as the property {@code
 * slipway.finished} says.
 */
@Tag("proof")
class LongTableTest {
  private static final int FINISHED = Integer.getInteger("slipway.finished", 200_000);
  private static final int BOUND = 400;
  private static final Teams EVERYBODY = new Teams.Every();
  private static final Teams TWO_TEAMS = new Teams.Named(Set.of("red", "tiny"));
  private static Database database;
  private static TestDatabase url;

  @BeforeAll
  static void fill() {
    TestDatabase test = TestPostgres.freshDatabase();
    url = test;
    database = Database.open(new Database.Address(test.jdbcUrl(), test.user(), test.password()), 4);
    database
        .jdbi()
        .useHandle(
            h -> {
              // No autovacuum: it touches pages too, and the test counts all of them.
              h.execute("ALTER TABLE runs SET (autovacuum_enabled = false)");
              rows(h, FINISHED, "succeeded", "interval '200 days'", "NULL");
              rows(h, 1_000, "pending", "interval '1 minute'", "now() - interval '1 minute'");
            });
    tidy();
  }

  /** As autovacuum will: what other tests have taken back lies about. */
  private static void tidy() {
    one(h -> h.execute("VACUUM (ANALYZE, INDEX_CLEANUP ON) runs"));
  }

  /** Made one after the other, evenly over the second half of that time. */
  private static void rows(Handle h, int count, String state, String age, String claimable) {
    h.execute(
        """
        INSERT INTO runs (id, kind, definition_hash, provider, workflow, environment, team, inputs,
                          state, claimable_at, created_by, created_at, finished_at)
        SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0')
                || '7' || substr(md5(n::text || '%2$s'), 1, 3) || '8'
                || substr(md5('x' || n || '%2$s'), 1, 15))::uuid,
               'golden-path', 'd', 'tools', 'quick', 'default', 'red', '{}', '%2$s', %4$s, 'dora',
               at, CASE WHEN '%2$s' = 'succeeded' THEN at END
          FROM generate_series(1, %1$d) n,
               LATERAL (SELECT now() - %3$s * (1 - n / (2.0 * %1$d)) AS at) t
        """
            .formatted(count, state, age, claimable));
  }

  @AfterAll
  static void close() {
    database.close();
  }

  /** Made for these values, and for any: the database changes from one to the other by itself. */
  @ParameterizedTest
  @ValueSource(strings = {"force_custom_plan", "force_generic_plan"})
  void the_claim_reads_what_is_due_and_nothing_else(String planned) {
    Object[] values = {
      Instant.now(), "me", 100, "me", Instant.now(), Instant.now(), Instant.now(), Instant.now(), 1L
    };
    for (String claim : List.of(Claims.CLAIM, Claims.CLAIM_CANCELLED)) {
      String plan = explainPrepared(planned, claim, values);
      assertThat(plan).contains("runs_claimable").doesNotContain("Seq Scan on runs");
      // a hundred rows are found, changed and kept in seven indexes
      assertThat(pages(plan)).as(plan).isLessThan(100 * 40);
    }
  }

  /** However many wait to begin. */
  @ParameterizedTest
  @ValueSource(strings = {"force_custom_plan", "force_generic_plan"})
  void what_was_interrupted_is_found_without_reading_the_queue(String planned) {
    Object[] values = {
      Instant.now(), "me", 100, "me", Instant.now(), Instant.now(), Instant.now(), Instant.now(), 1L
    };
    String plan = explainPrepared(planned, Claims.CLAIM_INTERRUPTED, values);
    assertThat(plan).contains("runs_unfinished").doesNotContain("Seq Scan", "runs_claimable");
    assertThat(pages(plan)).as(plan).isLessThan(BOUND / 10);
  }

  @Test
  void the_next_timer_is_the_first_entry_of_an_index() {
    String plan = explain(Claims.NEXT_DUE.replace(":owner", "?"), "me");
    assertThat(plan).contains("runs_claimable").doesNotContain("Seq Scan");
    assertThat(pages(plan)).as(plan).isLessThan(BOUND / 10);
  }

  @Test
  void a_page_of_runs_and_of_events_reads_a_page() {
    String runs = explain("SELECT * FROM runs ORDER BY id DESC LIMIT 51");
    assertThat(runs).contains("runs_pkey");
    assertThat(pages(runs)).as(runs).isLessThan(BOUND);
    String events = explain("SELECT * FROM events WHERE id > 0 ORDER BY id LIMIT 100");
    assertThat(pages(events)).as(events).isLessThan(BOUND);
  }

  /** Whatever is asked for, it may be sixty of the oldest among all of them. */
  @Test
  void a_list_of_runs_reads_no_more_than_its_page_and_what_it_counts() {
    UUID resource = UUID.randomUUID();
    tidy();
    // The application has no row: it went with its environment.
    one(
        h ->
            h.execute(
                "UPDATE runs SET application = 'shop', environment = 'gone', team = 'tiny',"
                    + " state = 'failed', resource_id = ?, parent_run_id = ?"
                    + " WHERE id IN (SELECT id FROM runs ORDER BY id LIMIT 60)",
                resource,
                resource));
    RunList.Part newest = listed(EVERYBODY, RunFilter.ALL, 1_500);
    assertThat(newest.more()).isTrue();
    assertThat(newest.total()).isEqualTo(Total.MOST + 1);
    for (RunFilter sixty :
        List.of(
            new RunFilter("shop", null, null, null, null, null),
            new RunFilter(null, "gone", null, null, null, null),
            new RunFilter(null, null, RunState.FAILED, null, null, null),
            new RunFilter(null, null, null, null, resource, null),
            new RunFilter(null, null, null, null, null, resource))) {
      assertThat(listed(EVERYBODY, sixty, BOUND).total()).isEqualTo(60);
      assertThat(listed(TWO_TEAMS, sixty, BOUND).total()).isEqualTo(60);
    }
    assertThat(listed(new Teams.Named(Set.of("tiny")), RunFilter.ALL, BOUND).total()).isEqualTo(60);
    RunFilter pending = new RunFilter(null, null, RunState.PENDING, null, null, null);
    assertThat(listed(EVERYBODY, pending, 1_500).total()).isEqualTo(1_000);
  }

  @Test
  void a_text_is_looked_for_in_the_newest_runs_only() {
    RunFilter quick = new RunFilter(null, null, null, "QUICK", null, null);
    assertThat(listed(EVERYBODY, quick, 6 * RunFilter.SEARCHED / 2).total())
        .isEqualTo(Total.MOST + 1);
    RunFilter nothing = new RunFilter(null, null, null, "no such thing", null, null);
    assertThat(
            new RunList(database.jdbi()).list(TWO_TEAMS, nothing, new RunList.Place(null, 0), 50))
        .isEqualTo(new RunList.Part(List.of(), false, 0));
  }

  @Test
  void statistics_count_no_further_than_they_say() {
    for (Teams teams : List.of(EVERYBODY, TWO_TEAMS)) {
      Statistics.Counts counts = counted(teams);
      assertThat(counts.runs()).containsEntry("pending", 1_000L);
      assertThat(counts.runs().get("succeeded")).isBetween(8_000L, (long) Statistics.MOST);
      assertThat(counts.atLeast()).contains("runs.succeeded").doesNotContain("runs.pending");
    }
    assertThat(counted(new Teams.Named(Set.of("nobody"))).runs()).isEmpty();
  }

  /** Every query stops after ten thousand rows: none reads all 200,000. */
  private static Statistics.Counts counted(Teams teams) {
    try (Database alone =
        Database.open(new Database.Address(url.jdbcUrl(), url.user(), url.password()), 1)) {
      Statistics statistics = new Statistics(alone.jdbi(), List.of());
      for (int i = 0; i < 6; i++) {
        statistics.counts(teams);
      }
      long before = pagesOf(alone);
      Statistics.Counts counts = statistics.counts(teams);
      assertThat(pagesOf(alone) - before).isLessThan(4_000);
      return counts;
    }
  }

  /** Seven times, since the database takes a plan for all values after some with one for each. */
  private static RunList.Part listed(Teams visible, RunFilter filter, int mostPages) {
    try (Database alone =
        Database.open(new Database.Address(url.jdbcUrl(), url.user(), url.password()), 1)) {
      RunList list = new RunList(alone.jdbi());
      RunList.Place top = new RunList.Place(null, 0);
      for (int i = 0; i < 6; i++) {
        list.list(visible, filter, top, 50);
      }
      long before = pagesOf(alone);
      RunList.Part part = list.list(visible, filter, top, 50);
      assertThat(pagesOf(alone) - before).as(filter.toString()).isLessThan(mostPages);
      assertThat(part.runs()).hasSize(50);
      return part;
    }
  }

  /** Pages of runs and its indexes that all sessions have touched so far. */
  private static long pagesOf(Database alone) {
    return alone
        .jdbi()
        .withHandle(
            h -> {
              h.execute("SELECT pg_stat_force_next_flush()");
              return h.createQuery(
                      """
                      SELECT heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read
                        FROM pg_statio_user_tables WHERE relname = 'runs'
                      """)
                  .mapTo(Long.class)
                  .one();
            });
  }

  private static void one(HandleConsumer<RuntimeException> work) {
    database.jdbi().useHandle(work);
  }

  @Test
  void old_runs_go_while_others_claim_and_write_without_waiting() {
    Retention retention = new Retention(database.jdbi(), Map.of());
    Instant before = Instant.now().minus(Duration.ofDays(150));
    int old = count("SELECT count(*) FROM runs WHERE finished_at < now() - interval '150 days'");
    int young = count("SELECT count(*) FROM runs") - old;
    assertThat(old).isGreaterThan(FINISHED / 4);
    AtomicBoolean working = new AtomicBoolean(true);
    CompletableFuture<Integer> others = CompletableFuture.supplyAsync(() -> write(working));
    int removed = 0;
    Optional<Retention.Pass> pass = retention.next(Retention.Pass.START, before, 500);
    while (pass.isPresent()) {
      removed += pass.get().removed();
      pass = retention.next(pass.get(), before, 500);
    }
    working.set(false);
    assertThat(others.join()).isPositive();
    assertThat(removed).isBetween(old - 1, old + 1);
    assertThat(count("SELECT count(*) FROM runs")).isBetween(young - 1, young + 1);
    tidy();
  }

  /** A statement that waits longer than its lock_timeout fails. */
  private static int write(AtomicBoolean working) {
    return database
        .jdbi()
        .withHandle(
            h -> {
              h.execute("SET lock_timeout = '50ms'");
              int writes = 0;
              while (working.get()) {
                h.begin();
                rows(h, 1, "pending", "interval '1 second'", "now() - interval '1 second'");
                h.execute(Claims.CLAIM, claimOfTen(Instant.now()));
                h.execute("UPDATE runs SET version = version + 1 WHERE owner = 'me'");
                h.rollback(); // the other tests count runs
                writes++;
              }
              h.execute("RESET lock_timeout");
              return writes;
            });
  }

  private static Object[] claimOfTen(Instant now) {
    return new Object[] {now, "me", 10, "me", now.plusSeconds(15), now, now, now, 3_600_000L};
  }

  private static int count(String sql) {
    return database.jdbi().withHandle(h -> h.createQuery(sql).mapTo(Integer.class).one());
  }

  /** Of the real statement, carried out and taken back. */
  private static String explain(String sql, Object... values) {
    return database
        .jdbi()
        .withHandle(
            h -> {
              h.begin();
              try {
                var query = h.createQuery("EXPLAIN (ANALYZE, BUFFERS) " + sql);
                IntStream.range(0, values.length).forEach(i -> query.bind(i, values[i]));
                List<String> lines = query.mapTo(String.class).list();
                return String.join("\n", lines);
              } finally {
                h.rollback();
              }
            });
  }

  /** The same of a prepared statement, with a plan of that kind. */
  private static String explainPrepared(String planned, String sql, Object... values) {
    Matcher marks = Pattern.compile("\\?").matcher(sql);
    AtomicInteger number = new AtomicInteger();
    String numbered = marks.replaceAll(mark -> "\\$" + number.incrementAndGet());
    String literals =
        Arrays.stream(values).map(value -> "'" + value + "'").collect(Collectors.joining(", "));
    return database
        .jdbi()
        .withHandle(
            h -> {
              h.begin();
              try {
                h.execute("SET LOCAL plan_cache_mode = " + planned);
                h.execute("PREPARE looked_at AS " + numbered);
                List<String> lines =
                    h.createQuery("EXPLAIN (ANALYZE, BUFFERS) EXECUTE looked_at(" + literals + ")")
                        .mapTo(String.class)
                        .list();
                h.execute("DEALLOCATE looked_at");
                return String.join("\n", lines);
              } finally {
                h.rollback();
              }
            });
  }

  /** Pages touched by the whole statement: its first line of buffers. */
  private static int pages(String plan) {
    Matcher buffers = Pattern.compile("Buffers: shared (.*)").matcher(plan);
    assertThat(buffers.find()).as(plan).isTrue();
    Matcher number = Pattern.compile("(?:hit|read)=(\\d+)").matcher(buffers.group(1));
    int pages = 0;
    while (number.find()) {
      pages += Integer.parseInt(number.group(1));
    }
    return pages;
  }
}
