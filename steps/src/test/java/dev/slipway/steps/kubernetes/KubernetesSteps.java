package dev.slipway.steps.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.resolve.ClusterSettings;
import dev.slipway.engine.resolve.ClusterSettings.Access;
import dev.slipway.engine.resolve.ClusterSettings.TeamPlace;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.Scope;
import dev.slipway.engine.workflow.StepTypes;
import dev.slipway.kubernetes.apply.WarmCaches;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.Clusters;
import dev.slipway.kubernetes.controlplane.Kubeconfig;
import dev.slipway.kubernetes.health.assess.HealthRules;
import dev.slipway.steps.Calls;
import dev.slipway.steps.Lines;
import dev.slipway.testbed.TestControlPlane;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Calls of kubernetes steps as the engine makes them, on the control plane of the tests. */
final class KubernetesSteps implements AutoCloseable {
  static final String TEAM = "team-a";

  final String namespace;
  final Lines log = new Lines();
  final Clusters clusters;
  final KubernetesExecutor executor;
  private Map<String, ClusterSettings> configured;
  private Grants grants = Grants.NONE.withClusters(List.of("east"), List.of());

  KubernetesSteps() {
    this(TestControlPlane.freshNamespace().name(), TestControlPlane.shared().administrator());
  }

  /** On the cluster of that kubeconfig, which has the namespace. */
  KubernetesSteps(String namespace, Kubeconfig kubeconfig) {
    this.namespace = namespace;
    configured =
        Map.of("east", settings(kubeconfig.text(), List.of(namespace), List.of("{team}-*")));
    clusters = new Clusters(() -> configured, InstantSource.system());
    executor =
        new KubernetesExecutor(
            clusters,
            new WarmCaches(
                WarmCaches.means(
                    () -> HealthRules.BUILT_IN, InstantSource.system(), Threads.OF_MACHINE)),
            () -> HealthRules.BUILT_IN,
            InstantSource.system());
  }

  /** A cluster in which the team has these namespaces, and every team those of the patterns. */
  static ClusterSettings settings(String kubeconfig, List<String> named, List<String> patterns) {
    return new ClusterSettings(
        new Access.Kubeconfig(kubeconfig, Optional.empty()),
        Optional.empty(),
        patterns,
        Map.of(TEAM, new TeamPlace(named, Optional.empty())));
  }

  void configure(Map<String, ClusterSettings> other) {
    configured = other;
  }

  KubernetesSteps granted(String... kinds) {
    grants = Grants.NONE.withClusters(List.of("east"), List.of(kinds));
    return this;
  }

  Cluster cluster() {
    return clusters.find("east").orElseThrow();
  }

  /** A call of a step whose config is written like this, with {@code @NS@} for the namespace. */
  StepCall call(String yaml, Map<String, Object> parameters) {
    Map<String, Object> written =
        Values.map(
            Document.parse(
                    "step", yaml.replace("@NS@", namespace), Limits.PROVIDER, new Diagnostics())
                .orElseThrow()
                .plain());
    Map<String, Object> rendered =
        new Rendering(new StepTypes(List.of(KubernetesExecutor.TYPE)))
            .config(Calls.step("kubernetes", written), Scope.of(parameters, Instant.EPOCH));
    return Calls.granted(Calls.of("kubernetes", rendered, log), grants);
  }

  StepCall call(String yaml) {
    return call(yaml, Map.of());
  }

  /** Executes a step once. */
  Result once(StepCall call) {
    try {
      return executor.execute(call);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Executes a step until it does not wait any more. */
  Result end(StepCall call) {
    AtomicReference<StepCall> next = new AtomicReference<>(call);
    AtomicReference<Result> last = new AtomicReference<>();
    await()
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              Result result = once(next.get());
              last.set(result);
              if (result instanceof Result.Parked parked) {
                next.set(Calls.resumed(next.get(), parked.memory()));
              }
              return !(result instanceof Result.Parked);
            });
    return last.get();
  }

  Map<String, Object> outputs(StepCall call) {
    Result result = end(call);
    assertThat(result).isInstanceOf(Result.Succeeded.class);
    return ((Result.Succeeded) result).outputs();
  }

  Map<String, Object> outputs(String yaml) {
    return outputs(call(yaml));
  }

  Result.Failed failed(StepCall call) {
    Result result = end(call);
    assertThat(result).isInstanceOf(Result.Failed.class);
    return (Result.Failed) result;
  }

  Result.Failed failed(String yaml) {
    return failed(call(yaml));
  }

  @Override
  public void close() {
    clusters.close();
  }
}
