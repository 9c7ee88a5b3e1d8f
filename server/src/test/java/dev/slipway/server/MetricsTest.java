package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.slipway.engine.value.Json;
import dev.slipway.server.telemetry.JsonLines;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

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

  @Test
  void a_log_line_is_one_json_object_with_its_ids() {
    LoggerContext context = new LoggerContext();
    LoggingEvent event =
        new LoggingEvent(
            "x", context.getLogger("dev.slipway"), Level.WARN, "went\nwrong", null, null);
    event.setMDCPropertyMap(Map.of("run_id", "r1", "trace_id", "t1", "unrelated", "no"));
    String line = new String(new JsonLines(() -> "here").encode(event), StandardCharsets.UTF_8);
    assertThat(line).endsWith("}\n").hasLineCount(1);
    assertThat(Json.readMap(line))
        .containsEntry("level", "warn")
        .containsEntry("msg", "went\nwrong")
        .containsEntry("run_id", "r1")
        .containsEntry("trace_id", "t1")
        .containsEntry("replica", "here")
        .containsKey("time")
        .doesNotContainKey("unrelated");
  }
}
