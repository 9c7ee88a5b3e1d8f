package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A workflow that another provider's workflow calls has no more than both were granted. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CallerGrantsTest {
  private static final String LOGIN = "caller_" + Long.toHexString(System.nanoTime());

  @TempDir static Path home;
  private final TestDatabase target = TestPostgres.freshDatabase();
  private Running running;
  private Deployer deployer;

  @BeforeAll
  void start() throws IOException, SQLException {
    try (var connection =
        DriverManager.getConnection(target.jdbcUrl(), target.user(), target.password())) {
      connection.createStatement().execute("CREATE ROLE " + LOGIN + " LOGIN PASSWORD 'pass-word'");
    }
    for (String caller : List.of("granted", "ungranted")) {
      provider(
          caller,
          caller + "-report",
          "[{name: call, type: workflow, workflow: inner/ask}]",
          "{who: '{{ .steps.call.output.who }}'}");
    }
    provider(
        "inner",
        "answer",
        "[{name: ask, type: sql, config: {connection: main, query: SELECT current_user AS who}}]",
        "{who: '{{ .steps.ask.output.first.who }}'}");
    configure();
    running = new Running(Optional.of(home.resolve("admin-config.yaml")));
    deployer = new Deployer(running);
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private static void provider(String name, String type, String steps, String outputs)
      throws IOException {
    Path directory = Files.createDirectories(home.resolve(name));
    Files.writeString(
        directory.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: %s, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - {type: %s, operations: {create: {workflow: ask}, delete: {workflow: drop}}}
        workflows:
          - {name: ask, file: ./ask.yaml, operation: create}
          - {name: drop, file: ./drop.yaml, operation: delete}
        """
            .formatted(name, type));
    workflow(directory, "ask", steps, outputs);
    workflow(directory, "drop", "[{name: none, type: noop}]", "{}");
  }

  private static void workflow(Path directory, String name, String steps, String outputs)
      throws IOException {
    Files.writeString(
        directory.resolve(name + ".yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: %s}
        steps: %s
        outputs: %s
        """
            .formatted(name, steps, outputs));
  }

  private void configure() throws IOException {
    Files.writeString(
        home.resolve("admin-config.yaml"),
        """
        connections: {main: {url: '%s', username: %s, password: pass-word}}
        providers:
          - {source: filesystem, path: ./ungranted}
          - {source: filesystem, path: ./granted, grants: {connections: [main]}}
          - {source: filesystem, path: ./inner, grants: {connections: [main]}}
        """
            .formatted(target.jdbcUrl(), LOGIN));
  }

  @Test
  void a_called_workflow_uses_a_connection_only_when_both_providers_are_granted_it() {
    deployer.deploy(Deployer.score("direct", "rr", "{}").replace("postgres", "answer"));
    assertThat(deployer.outputs("direct", "rr")).containsEntry("who", LOGIN);

    String called = Deployer.score("called", "rr", "{}");
    Map<String, Object> refused = deployer.ended(called.replace("postgres", "ungranted-report"));
    assertThat(refused).containsEntry("status", "failed");
    assertThat(String.valueOf(deployer.resource("called", "rr")))
        .contains("connection 'main' is not granted to provider 'inner'");

    deployer.deploy(Deployer.score("both", "rr", "{}").replace("postgres", "granted-report"));
    assertThat(deployer.outputs("both", "rr")).containsEntry("who", LOGIN);
  }
}
