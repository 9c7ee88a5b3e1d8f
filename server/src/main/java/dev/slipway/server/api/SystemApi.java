package dev.slipway.server.api;

import static dev.slipway.web.Route.get;

import dev.slipway.server.telemetry.Metrics;
import dev.slipway.server.telemetry.ServerHealth;
import dev.slipway.web.Answer;
import dev.slipway.web.Route;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** ServerHealth, readiness, metrics and the OpenAPI document. */
public final class SystemApi {
  private final ServerHealth health;
  private final Metrics metrics;
  private final Runnable refreshGauges;
  private final Supplier<Map<String, Object>> contract;

  public SystemApi(
      ServerHealth health,
      Metrics metrics,
      Runnable refreshGauges,
      Supplier<Map<String, Object>> contract) {
    this.health = health;
    this.metrics = metrics;
    this.refreshGauges = refreshGauges;
    this.contract = contract;
  }

  public List<Route> routes() {
    return List.of(
        get("/health")
            .open()
            .named("health", "Whether the server works")
            .gives(200, "it does", "Health")
            .gives(503, "it does not", "Health")
            .by(call -> health()),
        get("/ready")
            .open()
            .named("ready", "Whether requests can be served now")
            .gives(200, "they can", "Readiness")
            .gives(503, "not yet, or not now", "Readiness")
            .by(call -> ready()),
        get("/metrics")
            .open()
            .named("metrics", "Numbers for Prometheus")
            .givesText(200, "text format 0.0.4", "text/plain; version=0.0.4; charset=utf-8")
            .by(call -> metrics()),
        get("/openapi.json")
            .open()
            .named("openapi", "This document")
            .gives(200, "OpenAPI 3.1", "Object")
            .by(call -> Answer.ok(contract.get())));
  }

  private Answer health() {
    ServerHealth.Report report = health.report();
    return Answer.of(report.status() == ServerHealth.Status.UNHEALTHY ? 503 : 200, report);
  }

  private Answer ready() {
    ServerHealth.Readiness readiness = health.readiness();
    return Answer.of(readiness.ready() ? 200 : 503, readiness);
  }

  private Answer metrics() {
    refreshGauges.run();
    return Answer.text("text/plain; version=0.0.4; charset=utf-8", metrics.text());
  }
}
