package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class TwoServersTest {
  private static final int EACH = 10;
  private static final int ROUNDS = 5;

  /** Of runs that create something: each of them is followed by a look, which is a run too. */
  private static final Pattern ENDED =
      Pattern.compile(
          "(?m)^slipway_runs_total\\{(?=.*workflow=\"create-volume\").*result=\"succeeded\".*} (\\d+)");

  @Test
  void two_that_start_at_once_on_an_empty_database_share_it()
      throws ExecutionException, InterruptedException {
    TestDatabase empty = TestPostgres.freshDatabase();
    String key = Base64.getEncoder().encodeToString(new byte[32]);
    List<Running> both = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Running>> starting = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        starting.add(
            threads.submit(
                () -> {
                  Path data = Running.temporary();
                  Files.writeString(data.resolve("secret.key"), key);
                  return new Running(empty, data, Optional.empty());
                }));
      }
      for (Future<Running> each : starting) {
        both.add(each.get());
      }
      Running one = both.getFirst();
      Running two = both.getLast();
      assertThat(one.server.replica()).isNotEqualTo(two.server.replica());
      // Whichever made the account: each has a token of its own, and both count everywhere.
      for (Running here : both) {
        for (Running there : both) {
          assertThat(there.as(here.adminToken).get("/api/auth/whoami").expect(200).json())
              .containsEntry("name", "admin");
        }
      }
      one.asAdmin().yaml("/api/specs", ApplicationTest.score("shared")).expect(201);
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(two.asAdmin().get("/api/applications/shared").expect(200).json())
                      .containsEntry("state", "active"));
      shareTheWork(both);
    } finally {
      both.forEach(Running::close);
    }
  }

  /** Each is asked for half of it; who does what is up to time, but in the end both did some. */
  private static void shareTheWork(List<Running> both) {
    int runs = 1;
    for (int i = 0; i < ROUNDS && (i == 0 || both.stream().anyMatch(r -> ended(r) == 0)); i++) {
      for (int j = 0; j < EACH; j++) {
        for (Running each : both) {
          String name = "shared-" + runs++;
          each.asAdmin().yaml("/api/specs", ApplicationTest.score(name)).expect(201);
        }
      }
      long all = runs;
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(both.stream().mapToLong(TwoServersTest::ended).sum())
                      .as("runs that ended, each at one of them")
                      .isEqualTo(all));
    }
    assertThat(both).extracting(TwoServersTest::ended).as("runs of each").doesNotContain(0L);
  }

  /** How many volumes that server made; looks at them are runs too and do not count here. */
  private static long ended(Running running) {
    String metrics = running.asNobody().get("/metrics").expect(200).body();
    return ENDED.matcher(metrics).results().mapToLong(r -> Long.parseLong(r.group(1))).sum();
  }

  @Test
  void a_copied_data_directory_does_not_start_beside_the_original() throws IOException {
    Path data = Running.temporary();
    Path copy = Running.temporary();
    TestDatabase database = TestPostgres.freshDatabase();
    try (Running first = new Running(database, data, Optional.empty())) {
      for (String file : List.of("replica", "secret.key", "admin-token")) {
        Files.copy(data.resolve(file), copy.resolve(file));
      }
      assertThatThrownBy(() -> new Running(database, copy, Optional.empty()))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining(
              "'" + first.server.replica() + "' is in use by another live process")
          .hasMessageContaining("delete the file 'replica'");
      assertThat(first.asNobody().get("/health").status()).isEqualTo(200);
    }
    // The original has stopped: what has its name is its successor, and starts at once.
    new Running(database, copy, Optional.empty()).close();
    new Running(database, data, Optional.empty()).close();
  }

  @Test
  void a_second_one_without_the_key_of_the_first_does_not_start_and_says_which_file_to_copy()
      throws IOException {
    try (Running first = new Running()) {
      Path data = Running.temporary();
      assertThatThrownBy(() -> new Running(first.database, data, Optional.empty()))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining(data.resolve("secret.key") + " is missing")
          .hasMessageContaining("Copy secret.key of another replica");
      assertThat(data.resolve("secret.key")).as("no key of its own was made").doesNotExist();

      Files.writeString(
          data.resolve("secret.key"), Base64.getEncoder().encodeToString(new byte[32]));
      assertThatThrownBy(() -> new Running(first.database, data, Optional.empty()))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining(data.resolve("secret.key") + " is another key");

      Files.copy(
          first.data.resolve("secret.key"),
          data.resolve("secret.key"),
          StandardCopyOption.REPLACE_EXISTING);
      new Running(first.database, data, Optional.empty()).close();
    }
  }
}
