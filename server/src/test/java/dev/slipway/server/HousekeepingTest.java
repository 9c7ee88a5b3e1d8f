package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.threads.Supervision;
import dev.slipway.engine.threads.Threads;
import dev.slipway.git.GitLimits;
import dev.slipway.git.GitSources;
import dev.slipway.git.TreeLimits;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.retention.Sweep;
import dev.slipway.postgres.retention.Sweeper;
import dev.slipway.postgres.runs.PinnedCommits;
import dev.slipway.postgres.runs.RecentRuns;
import dev.slipway.postgres.runs.Retention;
import dev.slipway.steps.Workspaces;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is older than it is kept goes by itself, in the background of a running server. */
class HousekeepingTest {
  @TempDir Path directory;
  private Database database;

  @BeforeEach
  void open() {
    TestDatabase test = TestPostgres.freshDatabase();
    database = Database.open(new Database.Address(test.jdbcUrl(), test.user(), test.password()), 4);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void what_is_older_than_it_is_kept_goes_and_the_rest_stays() throws IOException {
    UUID old = made("old", Duration.ofDays(100));
    UUID young = made("young", Duration.ofDays(10));
    Path left = workspace(old);
    Path used = workspace(made("at-work", Duration.ofMinutes(1)));
    try (Housekeeping keeping = housekeeping()) {
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !Files.exists(left));
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(
              () -> {
                assertThat(texts("SELECT workflow FROM runs"))
                    .containsExactlyInAnyOrder("young", "at-work");
                assertThat(texts("SELECT hash FROM definitions"))
                    .containsExactlyInAnyOrder("young", "at-work");
                assertThat(texts("SELECT type FROM events")).containsExactly("at-work");
              });
    }
    assertThat(used).exists();
    assertThat(texts("SELECT id::text FROM runs")).contains(young.toString());
  }

  @Test
  void what_could_not_be_done_is_tried_again() {
    made("old", Duration.ofDays(100));
    sql("ALTER TABLE runs RENAME TO away");
    try (Housekeeping keeping = housekeeping()) {
      // Events do not need that table: once they are gone, the runs have been tried.
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> texts("SELECT type FROM events").isEmpty());
      sql("ALTER TABLE away RENAME TO runs");
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> texts("SELECT workflow FROM runs").isEmpty());
    }
  }

  @Test
  void housekeeping_that_an_error_ends_is_known() {
    Supervision supervision = new Supervision(() -> {});
    Supplier<AdminConfig> broken =
        () -> {
          throw new StackOverflowError();
        };
    try (Housekeeping keeping = housekeeping(broken, Threads.supervised(supervision))) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> supervision.death().isPresent());
    }
    assertThat(supervision.death().orElseThrow().thread()).isEqualTo("housekeeping");
  }

  private Housekeeping housekeeping() {
    return housekeeping(() -> AdminConfig.DEFAULT, Threads.OF_MACHINE);
  }

  private Housekeeping housekeeping(Supplier<AdminConfig> config, Threads threads) {
    InstantSource clock = InstantSource.system();
    return new Housekeeping(
        new EventLog(database.jdbi()),
        new GitSources(
            directory.resolve("git"), GitLimits.USUAL, TreeLimits.USUAL, clock, Threads.OF_MACHINE),
        new PinnedCommits(database.jdbi()),
        new Workspaces(directory, (run, other) -> false),
        new RecentRuns(database.jdbi()),
        new Retention(database.jdbi(), Map.of()),
        new Sweeper(database.jdbi(), 2),
        Sweep.all(List.of()),
        List.of(),
        config,
        Duration.ofMillis(20),
        clock,
        threads);
  }

  private Path workspace(UUID run) throws IOException {
    return Files.createDirectories(
        directory.resolve("workspaces").resolve("tools").resolve(run.toString()));
  }

  /** A run that ended that long ago, what it executed, and an event of it. */
  private UUID made(String name, Duration ago) {
    Instant at = Instant.now().minus(ago);
    UUID id = new UUID(at.toEpochMilli() << 16 | 0x7000, name.hashCode());
    database
        .jdbi()
        .useHandle(
            h -> {
              h.execute("INSERT INTO definitions VALUES (?, '{}', ?)", name, at);
              h.execute(
                  """
                  INSERT INTO runs (id, kind, definition_hash, provider, workflow, environment,
                                    team, inputs, state, created_by, created_at, finished_at)
                  VALUES (?, 'golden-path', ?, 'tools', ?, 'default', 'red', '{}', 'succeeded',
                          'dora', ?, ?)
                  """,
                  id,
                  name,
                  name,
                  at,
                  at);
              h.execute(
                  "INSERT INTO events (type, source, at, data) VALUES (?, 'test', ?, '{}')",
                  name,
                  at);
            });
    return id;
  }

  private void sql(String sql) {
    database.jdbi().useHandle(h -> h.execute(sql));
  }

  private java.util.List<String> texts(String sql) {
    return database.jdbi().withHandle(h -> h.createQuery(sql).mapTo(String.class).list());
  }
}
