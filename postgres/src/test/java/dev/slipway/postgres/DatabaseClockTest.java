package dev.slipway.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.threads.Supervision;
import dev.slipway.engine.threads.Threads;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On a database whose clock can be set: its function for the time is replaced by ours. */
class DatabaseClockTest {
  private static final Duration YEAR = Duration.ofDays(365);

  private Database database;
  private DatabaseClock clock;

  @BeforeEach
  void start() {
    TestDatabase fresh = TestPostgres.freshDatabase();
    Database.Address address =
        new Database.Address(
            fresh.jdbcUrl() + "?options=-c%20search_path=public,pg_catalog",
            fresh.user(),
            fresh.password());
    database = Database.open(address, 2);
    database
        .jdbi()
        .useHandle(
            h -> {
              h.execute("CREATE SEQUENCE answers");
              h.execute(
                  "CREATE TABLE ahead (lead interval, way_there interval, way_back interval)");
              h.execute("INSERT INTO ahead VALUES ('0', '0', '0')");
            });
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    """
                    CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE plpgsql
                    AS $$
                    DECLARE
                      answered ahead;
                      answer timestamptz;
                    BEGIN
                      SELECT * INTO answered FROM ahead;
                      PERFORM pg_sleep_for(answered.way_there);
                      answer := pg_catalog.clock_timestamp() + answered.lead;
                      PERFORM pg_sleep_for(answered.way_back);
                      PERFORM nextval('answers');
                      RETURN answer;
                    END $$
                    """));
  }

  @AfterEach
  void stop() {
    clock.close();
    database.close();
  }

  private void set(Duration ahead) {
    database
        .jdbi()
        .useHandle(
            h ->
                h.execute(
                    "UPDATE ahead SET lead = make_interval(secs => ?)",
                    (double) ahead.toSeconds()));
  }

  @Test
  void the_time_is_the_databases_and_not_this_machines() {
    set(YEAR);
    clock = new DatabaseClock(database, Threads.OF_MACHINE);
    assertThat(clock.instant()).isCloseTo(Instant.now().plus(YEAR), within(30, ChronoUnit.SECONDS));
  }

  /** It may be the network that holds it up, or a machine that stands still meanwhile. */
  @ParameterizedTest
  @ValueSource(strings = {"way_there", "way_back"})
  void an_answer_that_was_long_on_its_way_moves_nothing(String way) {
    clock = new DatabaseClock(database, Duration.ofMillis(20), Threads.OF_MACHINE);
    database.jdbi().useHandle(h -> h.execute("UPDATE ahead SET " + way + " = '1500 ms'"));
    long before = answers();
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(10))
        .until(
            () -> {
              Instant from = Instant.now();
              Instant shown = clock.instant();
              assertThat(shown).isBetween(from.minusMillis(300), Instant.now().plusMillis(300));
              return answers() > before + 2;
            });
  }

  private long answers() {
    return database
        .jdbi()
        .withHandle(h -> h.createQuery("SELECT last_value FROM answers").mapTo(Long.class).one());
  }

  @Test
  void a_clock_that_jumps_ahead_is_followed() {
    clock = new DatabaseClock(database, Duration.ofMillis(20), Threads.OF_MACHINE);
    set(YEAR);
    await().until(() -> clock.instant().isAfter(Instant.now().plus(YEAR.dividedBy(2))));
  }

  /** For it, the database's clock has jumped. */
  @Test
  void a_machine_that_was_suspended_knows_the_time_after_some_seconds() {
    clock = new DatabaseClock(database, Threads.OF_MACHINE);
    set(YEAR);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> clock.instant().isAfter(Instant.now().plus(YEAR.dividedBy(2))));
  }

  @Test
  void a_clock_that_leaps_ahead_and_comes_back_is_followed_both_ways_and_never_stands_still() {
    clock = new DatabaseClock(database, Duration.ofMillis(20), Threads.OF_MACHINE);
    List<DatabaseClock.Return> returns = new CopyOnWriteArrayList<>();
    clock.onReturn(returns::add);
    set(YEAR);
    await().until(() -> clock.instant().isAfter(Instant.now().plus(YEAR.dividedBy(2))));
    set(Duration.ZERO);
    await().until(() -> !returns.isEmpty());
    assertThat(clock.instant()).isCloseTo(Instant.now(), within(60, ChronoUnit.SECONDS));
    Instant then = clock.instant();
    await().until(() -> clock.instant().isAfter(then));
    DatabaseClock.Return leap = returns.getFirst();
    assertThat(leap.by()).isCloseTo(YEAR, Duration.ofSeconds(60));
    assertThat(leap.first()).isCloseTo(Instant.now().plus(YEAR), within(60, ChronoUnit.SECONDS));
    assertThat(leap.transaction()).isPositive();
  }

  @Test
  void less_than_two_seconds_back_are_made_up_by_standing_still() {
    set(Duration.ofSeconds(1));
    clock = new DatabaseClock(database, Duration.ofMillis(20), Threads.OF_MACHINE);
    Instant before = clock.instant();
    set(Duration.ZERO);
    long asked = answers() + 20;
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              Instant one = clock.instant();
              assertThat(clock.instant()).isAfterOrEqualTo(one);
              assertThat(one).isAfterOrEqualTo(before);
              return answers() > asked && one.isBefore(Instant.now().plusMillis(500));
            });
  }

  @Test
  void a_clock_that_an_error_stops_is_known() {
    Supervision supervision = new Supervision(() -> {});
    clock = new DatabaseClock(database, Duration.ofMillis(20), Threads.supervised(supervision));
    database
        .jdbi()
        .setSqlLogger(
            new SqlLogger() {
              @Override
              public void logBeforeExecution(StatementContext context) {
                throw new NoClassDefFoundError("dev/slipway/Gone");
              }
            });
    await().until(() -> supervision.death().isPresent());
    assertThat(supervision.death().orElseThrow().thread()).isEqualTo("database-clock");
  }
}
