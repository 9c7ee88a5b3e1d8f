package dev.slipway.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.EngineSettings;
import dev.slipway.engine.execute.RunStore;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A server with the PostgreSQL that is built in: what kills a database, and a disk that fills. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("proof")
class EmbeddedDatabaseTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** Without the database steps are stopped a third of the lease before it ends. */
  private static final Duration STEPS_GO_ON =
      EngineSettings.of(new RunStore.Owner("any", "any")).lease().multipliedBy(2).dividedBy(3);

  @TempDir static Path directory;
  private Witness witness;
  private Path config;
  private Replica replica;
  private Client client;

  @BeforeAll
  void start() throws IOException {
    witness = new Witness();
    config = Yard.configFor(directory, witness);
    replica = Replica.onDiskOf("300m", directory.resolve("small"), config).start();
    client = new Client(() -> replica);
  }

  @AfterAll
  void stop() {
    replica.stop();
    witness.close();
  }

  @Test
  void a_postgresql_that_is_killed_is_started_again_and_nothing_is_lost() throws IOException {
    List<String> accepted = new ArrayList<>();
    long server = replica.pid();
    for (int i = 0; i < 10; i++) {
      accept("killed-" + i, accepted);
    }
    Instant began = Instant.now();
    ProcessHandle.of(postmaster()).orElseThrow().destroyForcibly();
    await().atMost(PATIENCE).until(() -> accept("killed-10", accepted));
    int calls = callsAfter(began);
    for (int i = 11; i < 15; i++) {
      String application = "killed-" + i;
      await().atMost(PATIENCE).until(() -> accept(application, accepted));
    }
    accepted.forEach(this::active);
    accepted.forEach(application -> once(application, calls));
    assertThat(replica.alive()).isTrue();
    assertThat(replica.pid()).isEqualTo(server);
    assertThat(replica.log()).contains("PostgreSQL ended by itself", "PostgreSQL is back");
  }

  @Test
  void a_full_disk_is_refused_by_name_and_all_goes_on_when_there_is_room_again()
      throws IOException {
    List<String> accepted = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      accept("before-" + i, accepted);
    }
    Path ballast = replica.data().resolve("ballast");
    Instant began = Instant.now();
    fill(ballast);
    Map<String, Client.Answer> refusals = new TreeMap<>();
    for (int i = 0; i < 400 && refusals.size() < 3; i++) {
      String application = "full-" + i;
      Client.Answer answer = deploy(application);
      if (answer.status() == 201) {
        accepted.add(application);
      } else {
        refusals.put(application, answer);
      }
      fill(ballast);
    }
    assertThat(refusals.values()).as("refusals").anyMatch(r -> r.body().contains("disk-full"));
    System.out.println(accepted.size() + " accepted, then " + refusals);
    assertThat(refusals.values())
        .allMatch(r -> r.status() == 503 && r.body().contains("urn:slipway:problem:"));

    Files.delete(ballast);
    await().atMost(PATIENCE).until(() -> accept("after", accepted));
    int calls = callsAfter(began);
    accepted.forEach(this::active);
    accepted.forEach(application -> once(application, calls));
    assertThat(refusals.keySet()).allSatisfy(this::absent);

    // What was written while there was no room is whole: it is read again from the log of the disk.
    ProcessHandle.of(postmaster()).orElseThrow().destroyForcibly();
    await().atMost(PATIENCE).until(() -> accept("recovered", accepted));
    accepted.forEach(this::active);
    accepted.forEach(application -> once(application, calls));
    assertThat(refusals.keySet()).allSatisfy(this::absent);
  }

  @Test
  void a_server_that_is_stopped_while_it_starts_leaves_no_database_behind() {
    Replica early = Replica.withItsOwnDatabase(directory.resolve("early"), config);
    early.launch();
    Path file = early.data().resolve("pg/postmaster.pid");
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> Files.exists(file) && Files.readString(file).contains("\n"));
    long postmaster = postmaster(early);
    early.stop();
    assertThat(ProcessHandle.of(postmaster).filter(ProcessHandle::isAlive)).isEmpty();
  }

  /** The server has no application of that name, and no step of it was launched. */
  private void absent(String application) throws IOException {
    Client.Answer answer = client.get("/api/applications/" + application);
    assertThat(answer.status()).as(application + ": " + answer.body()).isEqualTo(404);
    assertThat(witness.effects(application)).as(application).isEmpty();
  }

  /** A step whose end could not be written before its lease ended is asked for again. */
  private static int callsAfter(Instant began) {
    return Duration.between(began, Instant.now()).compareTo(STEPS_GO_ON) < 0 ? 1 : 2;
  }

  /** Each of its effects was asked for under one key, and not more often than that. */
  private void once(String application, int calls) {
    Map<String, Map<String, Integer>> effects = witness.effects(application);
    assertThat(effects).as(application).containsOnlyKeys("one", "two");
    assertThat(effects.values())
        .as("calls by key for %s: %s", application, effects)
        .allSatisfy(keys -> assertThat(keys.values()).singleElement().matches(n -> n <= calls));
  }

  /** Leaves no byte. */
  private static void fill(Path file) {
    byte[] block = new byte[4096];
    try (OutputStream out =
        Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left");
    }
  }

  private boolean accept(String application, List<String> accepted) throws IOException {
    Client.Answer answer = deploy(application);
    if (answer.status() / 100 != 2) {
      assertThat(answer.status()).as(answer.body()).isEqualTo(503);
      assertThat(answer.body()).contains("urn:slipway:problem:");
      return false;
    }
    return accepted.add(application);
  }

  private Client.Answer deploy(String application) throws IOException {
    return client.post(
        "/api/applications", "application/yaml", Yard.score(application, "plain"), application);
  }

  private void active(String application) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(client.get("/api/applications/" + application).body())
                    .contains("\"state\":\"active\""));
  }

  private long postmaster() {
    return postmaster(replica);
  }

  private static long postmaster(Replica of) {
    try {
      return Long.parseLong(
          Files.readAllLines(of.data().resolve("pg/postmaster.pid")).getFirst().strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
