package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server never goes on without a thread that its engine depends on. */
class DeadThreadTest {
  /**
   * Classes that start threads of their own, and why no supervision is needed: each waits for its
   * thread and reads what became of it, or starts it to end the process.
   */
  private static final Set<String> START_THEIR_OWN =
      Set.of(
          "dev.slipway.engine.threads.Threads",
          "dev.slipway.git.Remote", // a FutureTask that is waited for
          "dev.slipway.server.Main",
          "dev.slipway.server.ProcessEnd",
          "dev.slipway.steps.HttpExecutor", // closes a stream whose reader waits
          "dev.slipway.steps.process.Programs", // asks each reader how it ended
          "dev.slipway.steps.sql.SqlExecutor", // completes a future with any Throwable
          "dev.slipway.steps.terraform.StateKeeper", // an Error counts as a state not saved
          "dev.slipway.web.CallThreads"); // a Future that the caller waits for

  private static final Pattern READY = Pattern.compile("Slipway is ready at (\\S+)");

  @TempDir Path directory;

  @Test
  void no_other_class_starts_a_thread_without_supervision() {
    Set<String> starting = new TreeSet<>();
    for (JavaClass one :
        new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(
                "dev.slipway.applications",
                "dev.slipway.engine",
                "dev.slipway.git",
                "dev.slipway.postgres",
                "dev.slipway.server",
                "dev.slipway.steps",
                "dev.slipway.web")) {
      Stream.<JavaCall<?>>concat(
              one.getMethodCallsFromSelf().stream(), one.getConstructorCallsFromSelf().stream())
          .filter(DeadThreadTest::startsThreads)
          .forEach(call -> starting.add(outermost(one)));
    }
    assertThat(starting).containsExactlyInAnyOrderElementsOf(START_THEIR_OWN);
  }

  private static boolean startsThreads(JavaCall<?> call) {
    String owner = call.getTargetOwner().getName();
    String method = call.getName();
    return switch (owner) {
      case "java.lang.Thread" ->
          Set.of("<init>", "ofPlatform", "ofVirtual", "startVirtualThread").contains(method);
      case "java.util.concurrent.Executors" -> method.startsWith("new");
      case "java.util.concurrent.CompletableFuture" -> method.endsWith("Async");
      case "java.util.concurrent.ThreadPoolExecutor",
          "java.util.concurrent.ForkJoinPool",
          "java.util.Timer" ->
          method.equals("<init>") || method.equals("commonPool");
      default -> false;
    };
  }

  private static String outermost(JavaClass type) {
    return type.getName().split("\\$", 2)[0];
  }

  @Test
  void each_lasting_thread_of_a_server_is_supervised() {
    try (Running running = new Running()) {
      assertThat(running.server.supervision().threads())
          .contains(
              "alarms",
              "database-clock",
              "dispatcher",
              "group-commit",
              "heartbeat",
              "housekeeping",
              "notifications",
              "notify",
              "provider-watch",
              "reconcile",
              "reconcile application 1",
              "reconcile environment 1",
              "reconcile look 1",
              "replica-name");
    }
  }

  /** An interrupt that no part of the server asked for: the thread returns. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "alarms",
        "database-clock",
        "dispatcher",
        "group-commit",
        "heartbeat",
        "housekeeping",
        "notify",
        "provider-watch",
        "reconcile",
        "reconcile application 1",
        "reconcile environment 1",
        "reconcile look 1",
        "replica-name"
      })
  void a_dead_thread_turns_health_red_by_name(String name) {
    try (Running running = new Running()) {
      assertThat(running.asNobody().get("/health").expect(200).body())
          .contains("\"threads\":\"ok\"");
      Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().equals(name))
          .forEach(Thread::interrupt);
      Awaitility.await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> running.server.supervision().death().isPresent());
      assertThat(running.asNobody().get("/health").expect(503).body())
          .contains("thread '" + name + "' died")
          .contains("\"status\":\"unhealthy\"")
          .contains("\"orchestration_engine\":\"stopped\"");
      assertThat(running.asNobody().get("/ready").expect(503).body()).contains("'" + name + "'");
    }
  }

  /** One of its class files is damaged, as by an upgrade that replaced it under the process. */
  @Test
  void a_process_that_dies_of_taking_up_a_run_gives_it_back_and_ends_with_its_own_code()
      throws Exception {
    Path damaged = directory.resolve("classes/dev/slipway/engine/execute/RunWorker.class");
    Files.createDirectories(damaged.getParent());
    Files.write(damaged, new byte[0]);
    TestDatabase database = TestPostgres.freshDatabase();
    Path data = directory.resolve("data");
    Path out = directory.resolve("out");
    Process process = start(database, data, out);
    try {
      deploy(url(out, process), Files.readString(data.resolve("admin-token")).strip());
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("it ends by itself").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).isEqualTo(ProcessEnd.CODE);
    assertThat(Files.readString(out))
        .containsPattern("thread '(dispatcher|early claims)' died")
        .contains("ClassFormatError", "Dispatcher.employ");
    try (Connection connection = UpgradeFixture.connect(database)) {
      assertThat(
              UpgradeFixture.strings(
                  connection, "SELECT coalesce(owner, 'nobody') || ' ' || state FROM runs"))
          .containsExactly("nobody running");
    }
    anotherReplicaFinishes(database, data);
  }

  private static void anotherReplicaFinishes(TestDatabase database, Path dead) throws IOException {
    Path data = Running.temporary();
    Files.copy(dead.resolve("secret.key"), data.resolve("secret.key"));
    try (Running healthy = new Running(database, data, Optional.empty())) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(healthy.asAdmin().get("/api/applications/shop").expect(200).json())
                      .containsEntry("state", "active"));
    }
  }

  private Process start(TestDatabase database, Path data, Path out) throws IOException {
    ProcessBuilder server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dslipway.home=" + Path.of("..").toAbsolutePath().normalize(),
                "-cp",
                directory.resolve("classes") + ":" + System.getProperty("java.class.path"),
                "dev.slipway.server.Main",
                "--database",
                database.jdbcUrl(),
                "--data",
                data.toString(),
                "--listen",
                "127.0.0.1:0")
            .redirectErrorStream(true)
            .redirectOutput(out.toFile());
    server.environment().put("SLIPWAY_DATABASE_USER", database.user());
    server.environment().put("SLIPWAY_DATABASE_PASSWORD", database.password());
    return server.start();
  }

  private static String url(Path out, Process process) {
    return Awaitility.await()
        .atMost(Duration.ofSeconds(120))
        .until(
            () -> {
              assertThat(process.isAlive()).as(Files.readString(out)).isTrue();
              Matcher ready = READY.matcher(Files.readString(out));
              return ready.find() ? Optional.of(ready.group(1)) : Optional.<String>empty();
            },
            Optional::isPresent)
        .orElseThrow();
  }

  private static void deploy(String url, String token) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/api/specs"))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/yaml")
            .POST(BodyPublishers.ofString(ApplicationTest.score("shop")))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    }
  }
}
