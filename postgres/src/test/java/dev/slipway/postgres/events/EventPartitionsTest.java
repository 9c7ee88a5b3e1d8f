package dev.slipway.postgres.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.graph.Event;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.MigratedDatabase;
import dev.slipway.postgres.RootColumn;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Days of events: made ahead, dropped whole, and what has no day of its own. */
class EventPartitionsTest {
  private static final Duration DAY = Duration.ofDays(1);

  private final TestDatabase direct = MigratedDatabase.fresh();
  private final Database database = Database.open(MigratedDatabase.address(direct), 10);
  private final EventLog log = new EventLog(database.jdbi());
  private final Instant today = Instant.now().truncatedTo(ChronoUnit.DAYS);

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void the_days_ahead_have_a_partition_each_and_are_made_once() {
    log.prepare(today);
    List<String> made = days();
    log.prepare(today);

    assertThat(days()).isEqualTo(made).contains(name(today.plus(DAY.multipliedBy(7))));
    log.prepare(today.plus(DAY));
    assertThat(days()).hasSize(made.size() + 1);
  }

  @Test
  void replicas_that_prepare_at_the_same_moment_make_each_day_once() {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      all.add(CompletableFuture.runAsync(() -> new EventLog(database.jdbi()).prepare(today)));
    }
    all.forEach(CompletableFuture::join);

    assertThat(days()).doesNotHaveDuplicates().hasSizeGreaterThanOrEqualTo(5);
  }

  @Test
  void ids_go_on_over_the_days_and_are_read_in_their_order() {
    log.prepare(today);
    for (int day : new int[] {4, -3, 2, 100, 5, -400}) {
      log.append(List.of(event(today.plus(DAY.multipliedBy(day)))));
    }

    assertThat(log.after(0, EventLog.Filter.ALL, 10).stream().map(StoredEvent::id))
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(count("events_other_days")).as("the day that has no partition").isEqualTo(1);
    assertThat(count("events_before_days")).isEqualTo(2);
    assertThat(count(name(today.plus(DAY.multipliedBy(4))))).isEqualTo(1);
  }

  @Test
  void a_day_goes_as_a_table_when_all_of_its_events_are_too_old() {
    log.prepare(today);
    Instant third = today.plus(DAY.multipliedBy(3));
    log.append(List.of(event(third), event(third.plus(DAY))));

    log.forget(third.plus(DAY).minusMillis(1), 100);
    assertThat(log.after(0, EventLog.Filter.ALL, 10)).as("some may be younger").hasSize(2);
    log.forget(third.plus(DAY), 100);

    assertThat(log.after(0, EventLog.Filter.ALL, 10)).hasSize(1);
    assertThat(exists(name(third))).isFalse();
    assertThat(exists("events_before_days")).as("all of its time is over").isFalse();
    log.append(List.of(event(third)));
    assertThat(count("events_other_days")).as("a clock that was set back").isEqualTo(1);
    assertThat(log.forget(third.plus(DAY), 100)).isEqualTo(1);
  }

  @Test
  void a_day_that_has_begun_among_other_days_stays_there() {
    Instant late = today.plus(DAY.multipliedBy(20));
    log.append(List.of(event(late)));

    log.prepare(late);

    assertThat(exists(name(late))).isFalse();
    assertThat(exists(name(late.plus(DAY)))).isTrue();
    assertThat(log.after(0, EventLog.Filter.ALL, 10)).hasSize(1);
  }

  @Test
  void a_partition_that_was_detached_and_not_dropped_goes_at_the_next_pass() {
    log.prepare(today);
    Instant third = today.plus(DAY.multipliedBy(3));
    database.jdbi().useHandle(h -> h.execute("ALTER TABLE events DETACH PARTITION " + name(third)));

    log.forget(today, 100);

    assertThat(exists(name(third))).isFalse();
  }

  /** A transaction that has written events and does not end, for as long as the test lasts. */
  @Test
  void making_and_dropping_days_does_not_wait_for_a_transaction_that_does_not_end()
      throws Exception {
    log.prepare(today);
    try (Connection open =
        DriverManager.getConnection(direct.jdbcUrl(), direct.user(), direct.password())) {
      open.setAutoCommit(false);
      open.createStatement()
          .execute("INSERT INTO events (type, source, at, data) VALUES ('t', 't', now(), '{}')");

      log.prepare(today.plus(DAY));
      assertThat(exists(name(today.plus(DAY.multipliedBy(8))))).isTrue();
      assertThatThrownBy(() -> log.forget(today.plus(DAY.multipliedBy(4)), 100))
          .hasMessageContaining("lock timeout");
      log.append(List.of(event(today)));
    }
    log.forget(today.plus(DAY.multipliedBy(4)), 100);
    assertThat(exists(name(today.plus(DAY.multipliedBy(3))))).isFalse();
  }

  @Test
  void a_page_by_id_reads_a_page_however_many_days_and_events_there_are() {
    log.prepare(today);
    database
        .jdbi()
        .useHandle(
            h -> {
              h.execute(
                  "INSERT INTO events (type, application, environment, source, at, data)"
                      + " SELECT 'spec.created', 'shop', 'default', 'test',"
                      + " ?::timestamptz + n % 9 * interval '1 day', '{}'"
                      + " FROM generate_series(1, 60000) AS s (n)",
                  today);
              h.execute("ANALYZE events");
            });

    for (String query :
        List.of(
            "SELECT * FROM events WHERE id > 30000 AND id <= 60000 ORDER BY id LIMIT 200",
            "SELECT id FROM events WHERE id > 59900 AND id <= 60000 ORDER BY id LIMIT 5000",
            "SELECT id FROM events ORDER BY id LIMIT 1")) {
      String plan =
          database
              .jdbi()
              .withHandle(
                  h ->
                      String.join(
                          "\n",
                          h.createQuery("EXPLAIN (ANALYZE, BUFFERS) " + query)
                              .mapTo(String.class)
                              .list()));
      assertThat(plan).contains("Merge Append").doesNotContain("Seq Scan", "Sort Method");
      assertThat(pages(plan)).as(plan).isLessThan(500);
    }
  }

  /** Of the whole plan: its first line about buffers. */
  private static long pages(String plan) {
    Matcher buffers = Pattern.compile("Buffers: shared([^\n]*)").matcher(plan);
    assertThat(buffers.find()).isTrue();
    return Pattern.compile("(?:hit|read)=(\\d+)")
        .matcher(buffers.group(1))
        .results()
        .mapToLong(r -> Long.parseLong(r.group(1)))
        .sum();
  }

  @Test
  void events_of_the_version_before_keep_their_ids_and_new_ones_follow() {
    TestDatabase old = TestPostgres.freshDatabase();
    Flyway.configure()
        .dataSource(old.jdbcUrl(), old.user(), old.password())
        .locations("classpath:db/migration")
        .target("4")
        .load()
        .migrate();
    String insert = "INSERT INTO events (type, source, at, data) VALUES ('t', 's', ?, '{}')";
    Jdbi before = Jdbi.create(old.jdbcUrl(), old.user(), old.password());
    before.useHandle(h -> h.execute(insert, today.minus(DAY).atOffset(ZoneOffset.UTC)));
    before.useTransaction(
        h -> {
          h.execute(insert, today.atOffset(ZoneOffset.UTC));
          h.rollback();
        });
    before.useHandle(
        h -> h.execute(insert, today.plus(DAY.multipliedBy(900)).atOffset(ZoneOffset.UTC)));
    before.useHandle(h -> h.execute(insert, today.atOffset(ZoneOffset.UTC)));

    try (Database upgraded = Database.open(MigratedDatabase.address(old), 4)) {
      EventLog after = new EventLog(upgraded.jdbi());
      after.prepare(today);
      after.append(List.of(event(today)));

      assertThat(after.after(1, EventLog.Filter.ALL, 10).stream().map(StoredEvent::id))
          .containsExactly(3L, 4L, 5L);
      assertThat(after.oldest()).contains(1L);
    }
  }

  /** What a replica of version 4 sends. */
  @Test
  void statements_of_the_version_before_still_fit() {
    log.prepare(today);
    database
        .jdbi()
        .useHandle(
            h -> {
              h.execute(
                  "WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(85037991))"
                      + " INSERT INTO events (type, application, environment, team, source, at, data)"
                      + " SELECT 'old', NULL, NULL, NULL, 'test', ?, '{}' FROM locked",
                  today.minus(DAY.multipliedBy(30)));
              h.execute(
                  "DELETE FROM events WHERE id IN"
                      + " (SELECT id FROM events WHERE at < ? ORDER BY id LIMIT 10)",
                  today.minus(DAY.multipliedBy(31)));
              assertThat(h.createQuery("SELECT max(id) FROM events").mapTo(Long.class).one())
                  .isEqualTo(1);
            });
    assertThat(log.after(0, EventLog.Filter.ALL, 10)).hasSize(1);
  }

  private static Event event(Instant at) {
    return new Event(
        "spec.created", RootColumn.ref("a", "default"), "default", null, "test", at, Map.of());
  }

  private static String name(Instant day) {
    return "events_" + LocalDate.ofInstant(day, ZoneOffset.UTC).toString().replace("-", "");
  }

  private List<String> days() {
    return database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery(
                        "SELECT inhrelid::regclass::text FROM pg_inherits"
                            + " WHERE inhparent = 'events'::regclass ORDER BY 1")
                    .mapTo(String.class)
                    .list());
  }

  private long count(String table) {
    return database
        .jdbi()
        .withHandle(
            h -> h.createQuery("SELECT count(*) FROM ONLY " + table).mapTo(Long.class).one());
  }

  private boolean exists(String table) {
    return database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery("SELECT to_regclass(?) IS NOT NULL")
                    .bind(0, table)
                    .mapTo(Boolean.class)
                    .one());
  }
}
