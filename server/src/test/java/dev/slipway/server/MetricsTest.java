package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.slipway.engine.value.Json;
import dev.slipway.server.telemetry.JsonLines;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MetricsTest {
  private Running running;

  @BeforeAll
  void start() {
    running = new Running();
  }

  @AfterAll
  void stop() {
    running.close();
  }

  private String metrics() {
    return running.asNobody().get("/metrics").expect(200).body();
  }

  @Test
  void metrics_of_what_is_loaded_exist_before_anything_happens() {
    assertThat(metrics())
        .contains("slipway_build_info{")
        .contains("innominatus_orchestration_pending_resources{resource_type=\"postgres\"} 0")
        .contains("innominatus_orchestration_provisioning_duration_seconds_count{provider=")
        .contains("innominatus_orchestration_provisioning_failures_total{error=\"timeout\"")
        .contains("slipway_leases_lost_total 0")
        .contains("slipway_fenced_writes_total 0")
        .contains("slipway_provider_conflicts 0")
        .contains("slipway_approvals_pending 0")
        .contains("slipway_claims_failing_seconds 0")
        .contains("slipway_start_latency_seconds_count");
  }

  @Test
  void requests_are_counted_by_route_and_never_by_path() {
    running.member("otto", "red", "viewer");
    running.asAdmin().get("/api/admin/users/otto").expect(200);
    running.asAdmin().get("/api/no/such/thing").expect(404);
    assertThat(metrics())
        .contains(
            "slipway_http_requests_total{method=\"GET\",route=\"/api/admin/users/{name}\",status=\"200\"}")
        .contains("slipway_http_requests_total{method=\"GET\",route=\"unmatched\",status=\"404\"}")
        .doesNotContain("otto")
        .doesNotContain("no/such");
  }

  /** Alerts on names that the server does not export never fire. */
  @ParameterizedTest
  @ValueSource(strings = {"prometheus/slipway-rules.yaml", "grafana/slipway-dashboard.json"})
  void rules_and_dashboard_use_only_metrics_and_labels_that_exist(String file) throws Exception {
    oneRun();
    String exported = metrics();
    String text = Files.readString(Path.of("..", "deploy").resolve(file));
    Matcher uses =
        Pattern.compile("\\b((?:slipway|innominatus)_[a-z_]+)(?:\\{([a-z_]+)(?:=~|=))?")
            .matcher(text);
    int found = 0;
    while (uses.find()) {
      found++;
      assertThat(exported).as(file).containsPattern("(?m)^" + uses.group(1) + "[{ ]");
      if (uses.group(2) != null) {
        assertThat(exported)
            .as(file)
            .containsPattern("(?m)^" + uses.group(1) + "\\{[^}]*\\b" + uses.group(2) + "=");
      }
    }
    assertThat(found).isGreaterThan(8);
    Matcher by = Pattern.compile("by \\(([a-z_, ]+)\\)").matcher(text);
    while (by.find()) {
      for (String label : by.group(1).split(", *")) {
        assertThat(exported + " instance=").as(file).contains(label + "=");
      }
    }
  }

  private void oneRun() {
    running
        .asAdmin()
        .with("Content-Type", "application/yaml")
        .post(
            "/api/applications",
            "apiVersion: score.dev/v1b1\nmetadata: {name: seen}\n"
                + "resources:\n  files: {type: volume}\n")
        .json();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                "active"
                    .equals(running.asAdmin().get("/api/applications/seen").json().get("state")));
  }

  @Test
  void a_log_line_is_one_json_object_with_its_ids() {
    LoggerContext context = new LoggerContext();
    LoggingEvent event =
        new LoggingEvent(
            "x", context.getLogger("dev.slipway"), Level.WARN, "went\nwrong", null, null);
    event.setMDCPropertyMap(
        Map.of(
            "run_id", "r1", "root", "application:shop@prod", "trace_id", "t1", "unrelated", "no"));
    String line = new String(new JsonLines(() -> "here").encode(event), StandardCharsets.UTF_8);
    assertThat(line).endsWith("}\n").hasLineCount(1);
    assertThat(Json.readMap(line))
        .containsEntry("level", "warn")
        .containsEntry("msg", "went\nwrong")
        .containsEntry("run_id", "r1")
        .containsEntry("root", "application:shop@prod")
        .containsEntry("application", "shop")
        .containsEntry("app", "shop")
        .containsEntry("trace_id", "t1")
        .containsEntry("replica", "here")
        .containsKey("time")
        .doesNotContainKey("unrelated");
  }
}
