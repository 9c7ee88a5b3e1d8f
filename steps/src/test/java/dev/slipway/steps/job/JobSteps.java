package dev.slipway.steps.job;

import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.resolve.ClusterSettings;
import dev.slipway.engine.resolve.ClusterSettings.Access;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.engine.resolve.JobSettings;
import dev.slipway.engine.resolve.JobSettings.Placement;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.workflow.RenderedScript;
import dev.slipway.engine.workflow.Step;
import dev.slipway.kubernetes.cluster.Clusters;
import dev.slipway.steps.AnsibleExecutor;
import dev.slipway.steps.Calls;
import dev.slipway.steps.Lines;
import dev.slipway.steps.ShellExecutor;
import dev.slipway.testbed.TestControlPlane;
import dev.slipway.testbed.node.ProcessNode;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** Shell steps as the engine calls them, as Jobs on a node that runs them. */
final class JobSteps implements AutoCloseable {
  static final String IMAGE = "registry.test/shell:1";
  static final Duration LIMIT = Duration.ofMinutes(2);

  /** One node in the control plane that all tests of a JVM share. */
  static final ProcessNode NODE = ProcessNode.start(TestControlPlane.shared(), IMAGE);

  final String namespace = TestControlPlane.freshNamespace().name();
  final Lines log = new Lines();
  final AnsibleExecutor ansible;
  private Map<String, ClusterSettings> configured =
      Map.of("east", cluster(TestControlPlane.shared().administrator().text()));
  final Clusters clusters = new Clusters(() -> configured, InstantSource.system());
  final ShellExecutor executor;
  ProcessLimits limits = ProcessLimits.DEFAULT;

  JobSteps(Path data) {
    executor =
        new ShellExecutor(data, ProgramPath.ofThisProcess(), () -> limits, InstantSource.system())
            .with(new StepJobs(clusters, () -> limits, InstantSource.system()));
    ansible =
        new AnsibleExecutor(data, ProgramPath.ofThisProcess(), () -> limits, InstantSource.system())
            .with(new StepJobs(clusters, () -> limits, InstantSource.system()));
  }

  ClusterSettings cluster(String kubeconfig) {
    return new ClusterSettings(
            new Access.Kubeconfig(kubeconfig, Optional.empty()),
            Optional.empty(),
            List.of(),
            Map.of())
        .with(settings(IMAGE));
  }

  JobSettings settings(String image) {
    return new JobSettings(
        image,
        Map.of(),
        namespace,
        JobSettings.USUAL_USER,
        new Placement(
            Optional.empty(),
            Map.of(),
            ProcessNode.SELECTOR,
            List.of(ProcessNode.TOLERATION),
            List.of()));
  }

  void configure(ClusterSettings other) {
    configured = Map.of("east", other);
  }

  /** A call of a script with more fields. */
  StepCall call(String script, Map<String, Object> more) {
    return call(new RenderedScript(script, Map.of()), more);
  }

  StepCall call(RenderedScript script, Map<String, Object> more) {
    Map<String, Object> config = new HashMap<>(more);
    config.put("script", script);
    config.put("executor", StepJobs.EXECUTOR);
    return typed("shell", config);
  }

  private StepCall typed(String type, Map<String, Object> config) {
    Step step = Calls.step(type, config);
    return Calls.granted(
        Calls.of(step, config, log, LIMIT), Grants.NONE.withClusters(List.of("east"), List.of()));
  }

  StepCall call(String script) {
    return call(script, Map.of());
  }

  /** A call of a playbook in those files. */
  StepCall playbook(Path provider, Map<String, Object> more) {
    Map<String, Object> config = new HashMap<>(more);
    config.put("executor", StepJobs.EXECUTOR);
    return Calls.in(provider, typed("ansible", config));
  }

  /** The same call on the server itself. */
  static StepCall local(StepCall call, Lines log) {
    Map<String, Object> config = new HashMap<>(call.config());
    config.remove("executor");
    return Calls.logging(log, Calls.inRun(call, config));
  }

  /** Executes a step until it does not wait any more. */
  Result end(StepCall call) {
    return end(executor, call);
  }

  static Result end(StepExecutor executor, StepCall call) {
    AtomicReference<StepCall> next = new AtomicReference<>(call);
    AtomicReference<Result> last = new AtomicReference<>();
    await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              Result result = executor.execute(next.get());
              last.set(result);
              if (result instanceof Result.Parked parked) {
                next.set(Calls.resumed(next.get(), parked.memory()));
              }
              return !(result instanceof Result.Parked);
            });
    return last.get();
  }

  /** The call that follows the one that created the Job. */
  StepCall begun(StepCall call) throws InterruptedException {
    return Calls.resumed(call, ((Result.Parked) executor.execute(call)).memory());
  }

  Result.Failed failed(StepCall call) {
    return (Result.Failed) end(call);
  }

  Map<String, Object> outputs(StepCall call) {
    Result result = end(call);
    if (result instanceof Result.Succeeded succeeded) {
      return succeeded.outputs();
    }
    throw new AssertionError(result + " " + log.all());
  }

  List<Job> jobs() {
    return TestControlPlane.client().batch().v1().jobs().inNamespace(namespace).list().getItems();
  }

  /** A lease that ends at its nth check, and stays so: the server is gone by then. */
  static RunLease endingAt(int nth) {
    int[] checks = {0};
    return () -> {
      if (++checks[0] >= nth) {
        throw new InterruptedException("the lease has ended");
      }
    };
  }

  @Override
  public void close() {
    clusters.close();
  }
}
