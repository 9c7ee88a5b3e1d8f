package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases of the bundled provider that are dropped behind its back. */
class ObservedHealthTest {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @TempDir Path place;
  @TempDir Path data;
  private Running running;
  private Deployer deployer;

  private void start(String drift) throws IOException {
    Path config = place.resolve("admin-config.yaml");
    Files.writeString(config, "observe: {interval: 5s, drift: %s}\n".formatted(drift));
    running = Running.embedded(data, Optional.of(config));
    deployer = new Deployer(running);
    deployer.deploy(Deployer.score("shop", "db", "{}"));
  }

  /** A provider whose look at a note fails until that file is there. */
  private Path startWithNotes() throws IOException {
    Path seen = place.resolve("seen");
    Path workflows = Files.createDirectories(place.resolve("notes/workflows"));
    Files.writeString(
        place.resolve("notes/provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: notes, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - type: note
              operations:
                create: {workflow: create-note}
                read: {workflow: read-note}
        workflows:
          - {name: create-note, file: ./workflows/create.yaml, operation: create}
          - {name: read-note, file: ./workflows/read.yaml, operation: read}
        """);
    workflow(workflows, "create", "echo OUTPUT_text=hello");
    workflow(
        workflows,
        "read",
        "test -e " + seen + " || { echo not there yet >&2; exit 1; }; echo OUTPUT_text=hello");
    Path config = place.resolve("admin-config.yaml");
    Files.writeString(
        config,
        "providers:\n  - {source: filesystem, path: %s}\n".formatted(place.resolve("notes")));
    running = new Running(Optional.of(config));
    deployer = new Deployer(running);
    return seen;
  }

  private static void workflow(Path directory, String name, String script) throws IOException {
    Files.writeString(
        directory.resolve(name + ".yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: %s-note}
        parameters: [{name: about, type: string, default: ''}]
        steps:
          - name: look
            type: shell
            config:
              script: |
                %s
            outputs: [text]
        outputs:
          text: '{{ .steps.look.output.text }}'
        """
            .formatted(name, script));
  }

  @Test
  void what_needs_a_resource_waits_until_a_look_finds_it_healthy() throws Exception {
    Path seen = startWithNotes();
    Object deployment =
        running
            .asAdmin()
            .yaml(
                "/api/applications",
                """
                apiVersion: score.dev/v1b1
                metadata: {name: shop}
                containers: {web: {image: 'registry.example/web:1'}}
                resources:
                  first: {type: note}
                  second: {type: note, params: {about: '${resources.first.text}'}}
                """)
            .json()
            .get("deploymentId");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(deployer.resource("shop", "first"))
                  .containsEntry("state", "active")
                  .containsEntry("health", "Unknown");
              assertThat(running.asAdmin().get("/api/applications/shop/explain").body())
                  .contains("waits for first (active, Unknown since", "UnknownGrace");
            });
    assertThat(deployer.resource("shop", "second"))
        .containsEntry("state", "requested")
        .containsEntry("blockedBy", List.of("first"));
    assertThat(deployer.resource("shop", "first"))
        .extracting("gate", InstanceOfAssertFactories.MAP)
        .containsEntry("state", "waiting")
        .containsEntry("code", "UnknownGrace");
    assertThat(running.asAdmin().get("/api/deployments/" + deployment).json())
        .containsEntry("status", "running");

    Files.createFile(seen);
    await()
        .atMost(PATIENCE)
        .until(
            () -> running.asAdmin().get("/api/deployments/" + deployment).json().get("status"),
            "completed"::equals);
    assertThat(deployer.resource("shop", "second"))
        .containsEntry("state", "active")
        .containsEntry("health", "Healthy");
    assertThat(deployer.resource("shop", "first")).doesNotContainKey("gate");
    assertThat(running.asAdmin().get("/api/workflows?app=shop").expect(200).body())
        .as("looks that gates wait for are no runs that lists show")
        .doesNotContain("read-note");
  }

  @AfterEach
  void stop() {
    running.close();
  }

  private Map<String, Object> database() {
    return deployer.resource("shop", "db");
  }

  private void awaitHealth(String health) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(database()).containsEntry("health", health));
  }

  private void drop() throws SQLException, IOException {
    String name = String.valueOf(deployer.outputs("shop", "db").get("database"));
    Path workloads = data.resolve("workloads");
    try (Connection connection =
        DriverManager.getConnection(
            "jdbc:postgresql://127.0.0.1:"
                + Files.readString(workloads.resolve("pg.port")).strip()
                + "/postgres",
            "slipway",
            Files.readString(workloads.resolve("pg.password")).strip())) {
      connection.createStatement().execute("DROP DATABASE \"" + name + "\" WITH (FORCE)");
    }
  }

  private static String observed(Map<String, Object> resource, String field) {
    return String.valueOf(((Map<?, ?>) resource.get("observed")).get(field));
  }

  @Test
  void a_database_that_is_dropped_by_hand_is_missing_and_explain_says_since_when()
      throws Exception {
    start("report");
    awaitHealth("Healthy");
    assertThat(observed(database(), "rule")).isEqualTo("read");

    drop();
    awaitHealth("Missing");
    assertThat(observed(database(), "message")).contains("is gone");
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(running.asAdmin().get("/api/applications/shop/explain").body())
                    .contains("Missing since " + observed(database(), "since"), "is gone"));
    assertThat(database()).containsEntry("state", "degraded");
    assertThat(running.asAdmin().get("/api/resources/" + database().get("id") + "/health").json())
        .extracting("data", InstanceOfAssertFactories.LIST)
        .extracting(change -> String.valueOf(((Map<?, ?>) change).get("health")))
        .containsExactly("Missing", "Healthy");
    assertThat(running.asAdmin().get("/api/graph/shop").body()).contains("\"Missing\"");
    assertThat(running.asAdmin().get("/api/workflows?app=shop").expect(200).body())
        .as("looks of the schedule are no runs that lists show")
        .contains("create-postgres")
        .doesNotContain("read-postgres");
  }

  @Test
  void a_database_that_is_dropped_by_hand_is_made_again_when_drift_is_corrected() throws Exception {
    start("correct");
    awaitHealth("Healthy");

    drop();
    awaitHealth("Missing");
    awaitHealth("Healthy");
    assertThat(database()).containsEntry("state", "active");
    try (Connection again = Deployer.connect(deployer.outputs("shop", "db"))) {
      assertThat(again.isValid(5)).isTrue();
    }
    Object id = database().get("id");
    assertThat(
            (List<?>)
                running.asAdmin().get("/api/resources/" + id + "/transitions").json().get("data"))
        .anyMatch(t -> t.toString().contains("drift correction"));
  }
}
