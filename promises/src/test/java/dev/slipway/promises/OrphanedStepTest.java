package dev.slipway.promises;

import static dev.slipway.promises.StepProcesses.privateFiles;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No step outlives its owner: whatever becomes of a server, the processes of its steps are gone
 * before another replica repeats the attempt, what was rendered for them does not stay behind, and
 * the run is not left without an owner for longer than a lease.
 */
@Tag("proof")
class OrphanedStepTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** After the end of a lease a replica polls within a second; the rest is for a busy machine. */
  private static final Duration A_LOOK = Duration.ofSeconds(1 + 3);

  /** A heartbeat that was sent before the fault may arrive after it. */
  private static final Duration ON_ITS_WAY = Duration.ofSeconds(1);

  @TempDir Path directory;
  private final TestDatabase database = TestPostgres.freshDatabase();
  private PostgresProxy proxy;
  private StepProcesses trees;
  private Yard tables;
  private Replica first;
  private Replica second;

  @BeforeEach
  void start() throws IOException {
    proxy = PostgresProxy.of(database);
    trees = new StepProcesses(directory);
    try (Witness witness = new Witness()) {
      tables = new Yard(directory.resolve("yard"), database, witness);
    }
    first = new Replica(directory.resolve("first"), trees.config(), proxy.through(database));
    second = new Replica(directory.resolve("second"), trees.config(), database);
    first.start();
  }

  @AfterEach
  void stop() {
    first.close();
    second.close();
    tables.close();
    proxy.close();
  }

  @Test
  void the_tree_of_a_killed_server_is_gone_before_its_successor_repeats_the_step()
      throws IOException {
    grow("killed");
    first.kill();
    assertThat(privateFiles(first, "killed")).as("left by the kill").hasSize(2);
    first.start();
    repeated("killed");
    assertThat(privateFiles(first, "killed")).isEmpty();
  }

  @Test
  void what_was_rendered_goes_when_the_killed_server_is_back_though_another_took_its_run_over()
      throws IOException {
    grow("inherited");
    join();
    first.kill();
    ownedAgain("inherited");
    repeated("inherited");
    assertThat(privateFiles(first, "inherited")).as("left by the kill").hasSize(2);
    first.start();
    assertThat(privateFiles(first, "inherited")).isEmpty();
    assertThat(privateFiles(second, "inherited")).isEmpty();
  }

  @Test
  void the_tree_of_a_frozen_server_is_gone_before_another_repeats_the_step() throws IOException {
    grow("frozen");
    trees.hold("frozen");
    join();
    first.freeze();
    ownedAgain("frozen");
    await().atMost(PATIENCE).until(() -> trees.starts("frozen").size() == 2);
    // It wakes up beside its successor, whose processes carry the same key.
    first.thaw();
    await().atMost(PATIENCE).until(() -> privateFiles(first, "frozen").isEmpty());
    trees.letGo("frozen");
    repeated("frozen");
    assertThat(trees.starts("frozen")).hasSize(2);
    assertThat(runs("frozen")).containsExactly("succeeded");
  }

  @Test
  void a_server_without_its_database_ends_its_steps_before_another_repeats_them()
      throws IOException {
    grow("cut-off");
    join();
    proxy.goAway();
    ownedAgain("cut-off");
    repeated("cut-off");
    await().atMost(PATIENCE).until(() -> privateFiles(first, "cut-off").isEmpty());
    proxy.comeBack();
    assertThat(trees.starts("cut-off")).hasSize(2);
    assertThat(runs("cut-off")).containsExactly("succeeded");
  }

  /** The second one comes, with the key that all replicas of a database share. */
  private void join() throws IOException {
    Files.createDirectories(second.data());
    Files.copy(
        first.data().resolve("secret.key"),
        second.data().resolve("secret.key"),
        StandardCopyOption.COPY_ATTRIBUTES);
    second.start();
  }

  private void grow(String application) throws IOException {
    Client.Answer answer =
        new Client(() -> first)
            .post(
                "/api/applications",
                "application/yaml",
                Yard.score(application, "tree"),
                application);
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    await().atMost(PATIENCE).until(() -> trees.stands(application));
    assertThat(trees.aliveNow(application)).hasSize(5);
  }

  /** A lease as it is stored; without end when the run has ended. */
  private record Lease(String owner, Instant until) {}

  /**
   * Another one owns it as soon as the lease of the former one has ended, which no heartbeat
   * prolongs any more.
   */
  private void ownedAgain(String application) {
    Instant fault = Instant.now();
    AtomicReference<Lease> former = new AtomicReference<>(lease(application));
    await("another owner of " + application)
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              Lease now = lease(application);
              boolean same = now.owner().equals(former.get().owner());
              if (same) {
                former.set(now);
              }
              return !same;
            });
    Instant taken = Instant.now();
    assertThat(former.get().until())
        .as("the lease")
        .isBefore(fault.plus(StepProcesses.LEASE).plus(ON_ITS_WAY));
    assertThat(taken).as("taken over").isBefore(former.get().until().plus(A_LOOK));
  }

  private void repeated(String application) {
    await().atMost(PATIENCE).until(() -> runs(application).equals(List.of("succeeded")));
    assertThat(trees.aliveAtTheRepeat(application)).as("alive at the repeat").isEmpty();
    assertThat(trees.aliveNow(application)).isEmpty();
    assertThat(trees.starts(application)).hasSize(2);
    assertThat(Set.copyOf(trees.starts(application))).as("keys").hasSize(1);
  }

  private List<String> runs(String application) {
    return tables.rows("SELECT state FROM runs WHERE application = ?", application);
  }

  private Lease lease(String application) {
    String[] row =
        tables
            .rows(
                "SELECT owner, to_char(claimable_at AT TIME ZONE 'UTC',"
                    + " 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"') FROM runs WHERE application = ?",
                application)
            .getFirst()
            .split(" ");
    return new Lease(row[0], row[1].equals("null") ? Instant.MAX : Instant.parse(row[1]));
  }
}
