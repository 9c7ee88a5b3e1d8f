package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.value.Values;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Deploys and destroys applications as the administrator, and waits for the end of it. */
record Deployer(Running running) {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** A Score document with one database. */
  static String score(String application, String resource, String params) {
    return """
        apiVersion: score.dev/v1b1
        metadata: {name: %s}
        containers: {web: {image: 'registry.example/web:1'}}
        resources: {%s: {type: postgres, params: %s}}
        """
        .formatted(application, resource, params);
  }

  void deploy(String score) {
    assertThat(ended(score)).containsEntry("status", "completed");
  }

  /** The deployment after it has ended, well or badly. */
  Map<String, Object> ended(String score) {
    Running.Reply reply = running.asAdmin().yaml("/api/applications", score);
    Object id = reply.json().get("deploymentId");
    assertThat(id).as(reply.body()).isNotNull();
    await(reply.body())
        .atMost(PATIENCE)
        .until(
            () -> running.asAdmin().get("/api/deployments/" + id).json().get("status"),
            status -> !List.of("running", "waiting").contains(status));
    return running.asAdmin().get("/api/deployments/" + id).json();
  }

  void destroy(String application) {
    begin(application);
    await()
        .atMost(PATIENCE)
        .until(() -> running.asAdmin().get("/api/applications/" + application).status() == 404);
  }

  void begin(String application) {
    running
        .asAdmin()
        .delete("/api/applications/" + application + "?confirm=" + application)
        .expect(202);
  }

  Map<String, Object> resource(String application, String name) {
    var shown = running.asAdmin().get("/api/applications/" + application).expect(200).json();
    return ((List<?>) shown.get("resources"))
        .stream()
            .map(Values::map)
            .filter(r -> name.equals(r.get("name")))
            .findFirst()
            .orElseThrow();
  }

  /** With secrets. */
  Map<String, Object> outputs(String application, String name) {
    Object id = resource(application, name).get("id");
    var reply = running.asAdmin().get("/api/resources/" + id + "/outputs?reveal=true").json();
    return reply.get("outputs") instanceof Map<?, ?> map ? Values.map(map) : reply;
  }

  static Connection connect(Map<String, Object> outputs) throws SQLException {
    return connect(outputs, String.valueOf(outputs.get("database")));
  }

  /** To another database with the same login. */
  static Connection connect(Map<String, Object> outputs, String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://%s:%s/%s".formatted(outputs.get("host"), outputs.get("port"), database),
        String.valueOf(outputs.get("username")),
        String.valueOf(outputs.get("password")));
  }
}
