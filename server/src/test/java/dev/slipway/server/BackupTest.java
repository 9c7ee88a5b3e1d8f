package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.slipway.engine.value.Values;
import dev.slipway.testbed.PostgresClients;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backup is a dump of the database and secret.key. */
class BackupTest {
  @TempDir Path directory;

  @Test
  void the_database_and_its_key_are_everything_and_neither_is_enough_alone() throws Exception {
    Path config = provider();
    Map<String, Object> outputs;
    Object runs;
    Running before = new Running(Optional.of(config));
    TestDatabase restored;
    try (before) {
      before.asAdmin().yaml("/api/specs", score("kept")).expect(201);
      await(before, "/api/applications/kept", "active");
      before.asAdmin().yaml("/api/specs", score("begun").replace("vault", "forge")).expect(201);
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(effects()));
      outputs = outputs(before);
      runs = runs(before);
      // As the page says, while the server and a step work.
      restored = dumpedAndRestored(before.database);
    }
    Path alone = Running.temporary();
    assertThatThrownBy(() -> new Running(restored, alone, Optional.of(config)))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("secret.key is missing");

    Path data = Running.temporary();
    Files.copy(before.data.resolve("secret.key"), data.resolve("secret.key"));
    Files.writeString(directory.resolve("go"), "");
    try (Running after = new Running(restored, data, Optional.of(config))) {
      assertThat(after.asAdmin().get("/api/applications/kept").expect(200).json())
          .containsEntry("state", "active");
      assertThat(outputs(after)).isEqualTo(outputs).containsEntry("password", "hunter-two");
      assertThat(runs(after)).isEqualTo(runs);
      assertThat(after.as(before.adminToken).get("/api/auth/whoami").expect(200).json())
          .as("tokens go on")
          .containsEntry("name", "admin");
      after.asAdmin().yaml("/api/specs", score("fresh")).expect(201);
      await(after, "/api/applications/fresh", "active");
      await(after, "/api/applications/begun", "active");
      assertThat(Files.readAllLines(effects()))
          .as("what was under way is repeated with the same key")
          .hasSize(2)
          .containsOnly(Files.readAllLines(effects()).getFirst());
    }
  }

  private Path effects() {
    return directory.resolve("effects");
  }

  @Test
  void the_embedded_database_is_dumped_while_it_works_and_copied_when_it_stands() throws Exception {
    Path config = provider();
    Path data = directory.resolve("DATA");
    TestDatabase own = TestPostgres.freshDatabase();
    try (Running before = Running.embedded(data, Optional.of(config))) {
      before.asAdmin().yaml("/api/specs", score("kept")).expect(201);
      await(before, "/api/applications/kept", "active");
      carryOut("sh", "-c", commandsOfThePage("PGPASSWORD=.* pg_dump").getFirst());
    }
    restore(own);
    Path key = Running.temporary();
    Files.copy(data.resolve("secret.key"), key.resolve("secret.key"));
    try (Running moved = new Running(restored(own), key, Optional.of(config))) {
      assertThat(outputs(moved)).containsEntry("password", "hunter-two");
    }
    String copy = "cp -a DATA DATA.backup";
    assertThat(Path.of("..", "docs", "operations.md")).content().contains("`" + copy + "`");
    carryOut(copy.split(" "));
    Path copied = directory.resolve("DATA.backup");
    try (Running after = Running.embedded(copied, Optional.of(config))) {
      assertThat(outputs(after)).containsEntry("password", "hunter-two");
    }
  }

  /** Carries out the commands of docs/operations.md, with other names. */
  private TestDatabase dumpedAndRestored(TestDatabase database) throws Exception {
    carryOut(words(commandsOfThePage("pg_dump").getFirst(), database, name(database)));
    restore(database);
    return restored(database);
  }

  private void restore(TestDatabase database) throws Exception {
    for (String command : commandsOfThePage("createdb|pg_restore")) {
      carryOut(words(command, database, name(restored(database))));
    }
  }

  private static String name(TestDatabase database) {
    return database.jdbcUrl().replaceAll(".*/", "");
  }

  private static TestDatabase restored(TestDatabase database) {
    return new TestDatabase(database.jdbcUrl() + "_restored", database.user(), database.password());
  }

  private static String[] words(String command, TestDatabase server, String database) {
    URI address = URI.create(server.jdbcUrl().substring("jdbc:".length()));
    List<String> words = new ArrayList<>();
    for (String word : command.split(" ")) {
      words.add(
          switch (word) {
            case "db.example.org", "new.example.org" -> address.getHost();
            case "slipway" -> words.getLast().equals("-U") ? server.user() : database;
            default -> word;
          });
    }
    words.addAll(1, List.of("-p", "" + address.getPort()));
    return words.toArray(String[]::new);
  }

  private String carryOut(String... command) throws Exception {
    // A shell finds them by the PATH that it is given, Java by its own.
    Path client = PostgresClients.directory().resolve(command[0]);
    command[0] = Files.exists(client) ? client.toString() : command[0];
    ProcessBuilder program =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
    program.environment().compute("PATH", (_, path) -> PostgresClients.directory() + ":" + path);
    Process process = program.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as("%s: %s", List.of(command), said).isZero();
    return said;
  }

  private static List<String> commandsOfThePage(String begin) throws IOException {
    List<String> commands =
        Files.readAllLines(Path.of("..", "docs", "operations.md")).stream()
            .filter(line -> line.matches("(" + begin + ") .*"))
            .toList();
    assertThat(commands).as(begin).hasSize(begin.split("\\|").length);
    return commands;
  }

  @Test
  void after_the_key_is_lost_for_good_one_can_go_on_without_the_old_secrets() throws Exception {
    Path config = provider();
    Running before = new Running(Optional.of(config));
    before.asAdmin().yaml("/api/specs", score("kept")).expect(201);
    await(before, "/api/applications/kept", "active");
    before.close();
    try (var connection =
            DriverManager.getConnection(
                before.database.jdbcUrl(), before.database.user(), before.database.password());
        var statement = connection.createStatement()) {
      String lost =
          "INSERT INTO sealing_key (fingerprint) VALUES ('lost')"
              + " ON CONFLICT (one) DO UPDATE SET fingerprint = 'lost'";
      assertThat(Files.readString(Path.of("..", "docs", "operations.md"))).contains(lost);
      assertThat(statement.executeUpdate(lost)).isEqualTo(1);
    }
    try (Running after = new Running(before.database, Running.temporary(), Optional.of(config))) {
      assertThat(after.asAdmin().get("/api/applications/kept").expect(200).json())
          .containsEntry("state", "active");
      after.asAdmin().yaml("/api/specs", score("fresh")).expect(201);
      await(after, "/api/applications/fresh", "active");
    }
  }

  @Test
  void after_the_key_of_an_embedded_database_is_lost_one_can_go_on_too() throws Exception {
    Path config = provider();
    Path data = directory.resolve("DATA");
    try (Running before = Running.embedded(data, Optional.of(config))) {
      before.asAdmin().yaml("/api/specs", score("kept")).expect(201);
      await(before, "/api/applications/kept", "active");
    }
    Files.delete(data.resolve("secret.key"));
    assertThatThrownBy(() -> Running.embedded(data, Optional.of(config)))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("secret.key is missing");

    String said = carryOut("sh", "-c", asWhoeverRunsThis(lostByThePage()));
    assertThat(said).contains("backend>").doesNotContain("ERROR", "FATAL");

    try (Running after = Running.embedded(data, Optional.of(config))) {
      assertThat(after.asAdmin().get("/api/applications/kept").expect(200).json())
          .containsEntry("state", "active");
      after.asAdmin().yaml("/api/specs", score("fresh")).expect(201);
      await(after, "/api/applications/fresh", "active");
    }
  }

  private static String lostByThePage() throws IOException {
    return commandsOfThePage("echo \"INSERT INTO sealing_key").getFirst();
  }

  /** As the page says for root. */
  private static String asWhoeverRunsThis(String command) {
    String program = "DATA/postgresql-*/bin/postgres";
    assertThat(command).contains("| " + program);
    return "root".equals(System.getProperty("user.name"))
        ? command.replace(program, "unshare -U " + program)
        : command;
  }

  private static Map<String, Object> outputs(Running running) {
    var app = running.asAdmin().get("/api/applications/kept").expect(200).json();
    Object id = Values.map(((List<?>) app.get("resources")).getFirst()).get("id");
    Map<String, Object> reply =
        running.asAdmin().get("/api/resources/" + id + "/outputs?reveal=true").expect(200).json();
    return reply.containsKey("outputs") ? Values.map(reply.get("outputs")) : reply;
  }

  private static Object runs(Running running) {
    return running.asAdmin().get("/api/workflows?app=kept").expect(200).json().get("data");
  }

  private static void await(Running running, String path, String state) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(running.asAdmin().get(path).expect(200).json())
                    .containsEntry("state", state));
  }

  private static String score(String name) {
    return ApplicationTest.score(name).replace("volume", "vault");
  }

  private Path provider() throws IOException {
    Path tools = Files.createDirectories(directory.resolve("tools"));
    Files.writeString(
        tools.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - {type: vault, operations: {create: {workflow: make}}}
            - {type: forge, operations: {create: {workflow: beat}}}
        workflows:
          - {name: make, file: ./make.yaml}
          - {name: beat, file: ./beat.yaml}
        """);
    Files.writeString(
        tools.resolve("make.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: make}
        parameters: [{name: size, type: string, default: 1Gi}]
        steps:
          - name: make
            type: shell
            script: echo OUTPUT_password=hunter-two
            outputs: [password]
        outputs: {password: '{{ .steps.make.output.password }}'}
        """);
    Files.writeString(
        tools.resolve("beat.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: beat}
        parameters: [{name: size, type: string, default: 1Gi}]
        steps:
          - name: beat
            type: shell
            script: |
              echo "$SLIPWAY_IDEMPOTENCY_KEY" >> %s
              until test -f %s; do sleep 0.2; done
        """
            .formatted(effects(), directory.resolve("go")));
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        "providers: [{source: filesystem, path: %s}]".formatted(tools));
  }
}
