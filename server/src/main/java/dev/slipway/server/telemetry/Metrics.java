package dev.slipway.server.telemetry;

import dev.slipway.engine.execute.ClaimHealth;
import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunMetrics;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.kubernetes.watch.ClusterWatches;
import dev.slipway.web.HttpMetrics;
import dev.slipway.web.Route;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.core.metrics.Info;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Counts what happens. The names are a contract: dashboards are built on them. */
public final class Metrics implements RunMetrics, HttpMetrics {
  private static final double[] WORK = {
    0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800
  };
  private static final double[] LATENCY = {
    0.001, 0.0025, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 5, 30
  };

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Gauge pendingResources =
      gauge(
          "innominatus_orchestration_pending_resources",
          "Resources that are asked for and not settled yet",
          "resource_type");
  private final Histogram provisioning =
      histogram(
          "innominatus_orchestration_provisioning_duration_seconds",
          "Time from the start of a create run to its success",
          WORK,
          "provider",
          "resource_type");
  private final Counter failures =
      counter(
          "innominatus_orchestration_provisioning_failures_total",
          "Runs and resources that failed, by cause",
          "provider",
          "resource_type",
          "error");
  private final Counter runs =
      counter("slipway_runs_total", "Runs that ended", "provider", "workflow", "result");
  private final Counter steps =
      counter("slipway_steps_total", "Steps that ended", "type", "result");
  private final Histogram stepDuration =
      histogram("slipway_step_duration_seconds", "Time a step's last attempt took", WORK, "type");
  private final Histogram startLatency =
      histogram(
          "slipway_start_latency_seconds", "Time from making a run to its first step", LATENCY);
  private final Counter leasesLost =
      counter("slipway_leases_lost_total", "Leases that ran out or were taken over");
  private final Counter fencedWrites =
      counter("slipway_fenced_writes_total", "Writes of former owners that changed nothing");
  private final Gauge conflicts =
      gauge("slipway_provider_conflicts", "Resource types that several providers claim");
  private final Gauge claimsFailing =
      gauge(
          "slipway_claims_failing_seconds",
          "For how long this replica has not been able to claim runs; 0 while it can");
  private final Gauge approvals =
      gauge("slipway_approvals_pending", "Approvals that wait for a person");
  private final Counter requests =
      counter("slipway_http_requests_total", "HTTP requests answered", "method", "route", "status");

  private final Set<String> types = new TreeSet<>();
  private volatile @Nullable Function<String, DefinitionSnapshot> definitions;

  public Metrics(String version, String javaVersion) {
    Info.builder()
        .name("slipway_build_info")
        .help("What is running")
        .labelNames("version", "java")
        .register(registry)
        .setLabelValues(version, javaVersion);
    leasesLost.inc(0);
    fencedWrites.inc(0);
    conflicts.set(0);
    approvals.set(0);
    claimsFailing.set(0);
  }

  /** Says where to look up whose workflow a run executes. */
  public void definitions(Function<String, DefinitionSnapshot> lookUp) {
    definitions = lookUp;
  }

  /** Takes note of what is loaded, so that its series exist before anything happens. */
  public synchronized void loaded(Registry now) {
    conflicts.set(now.conflicts().size());
    for (Provider provider : now.providers()) {
      for (Resolution.Definition definition : provider.definitions().values()) {
        begin(provider.name(), definition.workflow());
      }
      for (String type : provider.manifest().claimedTypes()) {
        types.add(type);
        pendingResources.initLabelValues(type);
        provisioning.initLabelValues(provider.name(), type);
        for (FailureCause cause : FailureCause.values()) {
          failures.initLabelValues(provider.name(), type, cause.text());
        }
      }
    }
  }

  private void begin(String provider, Workflow workflow) {
    for (RunState end : List.of(RunState.SUCCEEDED, RunState.FAILED)) {
      runs.initLabelValues(provider, workflow.name(), end.text());
    }
    for (Step step : workflow.steps()) {
      stepDuration.initLabelValues(step.type());
      for (StepState end : List.of(StepState.SUCCEEDED, StepState.FAILED)) {
        steps.initLabelValues(step.type(), end.text());
      }
    }
  }

  /** Sets the numbers of pending resources by type; types without any go to zero. */
  public synchronized void pending(Map<String, Long> byType) {
    types.addAll(byType.keySet());
    for (String type : types) {
      pendingResources.labelValues(type).set(byType.getOrDefault(type, 0L));
    }
  }

  public void pendingApprovals(long count) {
    approvals.set(count);
  }

  public void claims(ClaimHealth.Verdict verdict) {
    claimsFailing.set(
        switch (verdict) {
          case ClaimHealth.Verdict.Works() -> 0;
          case ClaimHealth.Verdict.Fails fails -> fails.lasting().toMillis() / 1000.0;
        });
  }

  /** A resource failed without a run: no provider offers its type, or its input is wrong. */
  public void failedBeforeRun(@Nullable String provider, String resourceType, String code) {
    failures
        .labelValues(
            provider == null ? "none" : provider, resourceType, FailureCause.of(code).text())
        .inc();
  }

  @Override
  public void runEnded(ClaimedRun run, RunState state, Duration took, @Nullable StepError error) {
    String provider = "unknown";
    String workflow = "unknown";
    Function<String, DefinitionSnapshot> lookUp = definitions;
    if (lookUp != null) {
      DefinitionSnapshot definition = lookUp.apply(run.definitionHash());
      provider = definition.provider();
      workflow = definition.workflow();
    }
    runs.labelValues(provider, workflow, state.text()).inc();
    if (run.kind() != NewRun.Kind.RESOURCE) {
      return;
    }
    String type = run.subject().nodeType() == null ? "unknown" : run.subject().nodeType();
    switch (state) {
      case SUCCEEDED -> {
        if ("create".equals(run.operation())) {
          provisioning.labelValues(provider, type).observe(took.toNanos() / 1e9);
        }
      }
      case FAILED, PARTIAL ->
          failures
              .labelValues(
                  provider, type, FailureCause.of(error == null ? "" : error.code()).text())
              .inc();
      case CANCELLED -> failures.labelValues(provider, type, FailureCause.CANCELLED.text()).inc();
      case PENDING, RUNNING, WAITING -> {}
    }
  }

  @Override
  public void stepEnded(String type, StepState state, Duration took) {
    steps.labelValues(type, state.text()).inc();
    stepDuration.labelValues(type).observe(took.toNanos() / 1e9);
  }

  @Override
  public void started(Duration latency) {
    startLatency.observe(latency.toNanos() / 1e9);
  }

  @Override
  public void leasesLost(int count) {
    leasesLost.inc(count);
  }

  @Override
  public void fencedWrite() {
    fencedWrites.inc();
  }

  @Override
  public void answered(Route route, int status) {
    requests.labelValues(route.method().name(), route.path(), Integer.toString(status)).inc();
  }

  @Override
  public void unmatched(String method, int status) {
    // The path is the caller's choice: as a label it would grow without end.
    String known =
        switch (method) {
          case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS" -> method;
          default -> "other";
        };
    requests.labelValues(known, "unmatched", Integer.toString(status)).inc();
  }

  /** Everything, as Prometheus reads it. */
  public String text() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      PrometheusTextFormatWriter.builder().build().write(out, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  private Counter counter(String name, String help, String... labels) {
    return Counter.builder()
        .withoutExemplars()
        .name(name)
        .help(help)
        .labelNames(labels)
        .register(registry);
  }

  /** How many streams of each kind are open, asked when the metrics are read. */
  public void streams(Supplier<Map<String, Integer>> open) {
    GaugeWithCallback.builder()
        .name("slipway_streams")
        .help("Streams to readers that are open now, by kind")
        .labelNames("kind")
        .callback(gauge -> open.get().forEach((kind, n) -> gauge.call(n, kind)))
        .register(registry);
  }

  /** How many clients are connected, asked when the metrics are read. */
  public void connections(IntSupplier open) {
    GaugeWithCallback.builder()
        .name("slipway_http_connections")
        .help("Clients that are connected now")
        .callback(gauge -> gauge.call(open.getAsInt()))
        .register(registry);
  }

  /** The watches of clusters, asked when the metrics are read. */
  public void watches(Supplier<Collection<ClusterWatches>> open) {
    GaugeWithCallback.builder()
        .name("slipway_watch_staleness_seconds")
        .help("How long ago this replica has heard of a watch's server; about 60 s at most")
        .labelNames("cluster", "kind")
        .callback(
            gauge -> views(open, (c, view) -> gauge.call(seconds(view.staleness()), c, kind(view))))
        .register(registry);
    GaugeWithCallback.builder()
        .name("slipway_watched_objects")
        .help("Objects of Slipway's that a watch of this replica knows")
        .labelNames("cluster", "kind")
        .callback(gauge -> views(open, (c, view) -> gauge.call(view.objects(), c, kind(view))))
        .register(registry);
  }

  private static void views(
      Supplier<Collection<ClusterWatches>> open, BiConsumer<String, ClusterWatches.View> each) {
    for (ClusterWatches watches : open.get()) {
      watches.views().forEach(view -> each.accept(watches.cluster().name(), view));
    }
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }

  private static String kind(ClusterWatches.View view) {
    return view.kind().granted();
  }

  private Gauge gauge(String name, String help, String... labels) {
    return Gauge.builder()
        .withoutExemplars()
        .name(name)
        .help(help)
        .labelNames(labels)
        .register(registry);
  }

  private Histogram histogram(String name, String help, double[] bounds, String... labels) {
    return Histogram.builder()
        .withoutExemplars()
        .name(name)
        .help(help)
        .classicOnly()
        .classicUpperBounds(bounds)
        .labelNames(labels)
        .register(registry);
  }
}
