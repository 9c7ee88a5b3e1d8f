package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.value.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HealthAssessTest {
  private static final String TWO =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec: {paused: true}
      ---
      apiVersion: example.org/v1
      kind: Widget
      metadata: {name: blue}
      """;

  @TempDir Path directory;

  @Test
  void manifests_are_judged_by_the_rules_of_the_server() throws Exception {
    Path rules = Files.createDirectories(directory.resolve("health/example.org/_"));
    Path script =
        Files.writeString(
            rules.resolve("health.lua"), "return {status='Degraded', message=obj.kind}");
    Path config = Files.writeString(directory.resolve("config.yaml"), "healthRules: health\n");
    try (Running running = new Running(Optional.of(config))) {
      Running.Ask admin = running.asAdmin();
      assertThat(Json.read(admin.yaml("/api/health/assess?file=two.yaml", TWO).expect(200).body()))
          .isEqualTo(
              List.of(
                  element("apps/v1", "Deployment", "web", "Suspended", "the Deployment is paused"),
                  element("example.org/v1", "Widget", "blue", "Degraded", "Widget")));

      String token = running.member("vera", "red", "viewer");
      running.as(token).yaml("/api/health/assess", TWO).expect(200);
      running.asNobody().yaml("/api/health/assess", TWO).expect(401);

      assertThat(admin.yaml("/api/health/assess", "kind: Pod\n---\n- 1\n").expect(400).body())
          .contains("every Kubernetes object names its apiVersion")
          .contains("\"line\":3");
      admin.yaml("/api/health/assess", "#" + "x".repeat(2 << 20)).expect(413);

      Files.writeString(script, "return = 1");
      assertThat(running.asAdmin().post("/api/admin/reload", "").body()).contains("not valid Lua");
      assertThat(admin.yaml("/api/health/assess", TWO).expect(200).body()).contains("Degraded");
    }
  }

  private static Map<String, Object> element(
      String apiVersion, String kind, String name, String status, String message) {
    return Map.of(
        "file", "two.yaml",
        "apiVersion", apiVersion,
        "kind", kind,
        "name", name,
        "status", status,
        "message", message);
  }
}
