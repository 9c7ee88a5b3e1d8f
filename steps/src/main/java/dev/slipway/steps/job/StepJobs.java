package dev.slipway.steps.job;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.resolve.JobSettings;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.Clusters;
import dev.slipway.steps.kubernetes.ClusterChoice;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Runs programs of steps as Jobs of the configured clusters.
 *
 * @param limits how much a program may print
 */
public record StepJobs(Clusters clusters, Supplier<ProcessLimits> limits, InstantSource clock) {
  /** The value of field {@code executor} of steps that run as Jobs. */
  public static final String EXECUTOR = "kubernetes-job";

  /** What a step type does with its program in a Job. */
  public interface Work {
    /** What to run. */
    JobProgram program() throws IOException;

    /** What the step's result is. */
    Result result(JobEnd.Exited exited) throws IOException;
  }

  /** Whether the step is to run as a Job. */
  public static boolean asked(StepCall call) {
    return EXECUTOR.equals(call.config().get("executor"));
  }

  /** Runs it, or goes on with it: one Job for one key. */
  public Result run(StepCall call, Work work) throws InterruptedException {
    return switch (ClusterChoice.of(call, clusters)) {
      case ClusterChoice.Refused(StepError error) -> new Result.Failed(error, Map.of());
      case ClusterChoice.Chosen(Cluster cluster) -> run(call, work, cluster);
    };
  }

  private Result run(StepCall call, Work work, Cluster cluster) throws InterruptedException {
    Optional<JobSettings> settings = cluster.settings().jobs();
    if (settings.isEmpty()) {
      return Result.failed(
          "jobs-not-configured",
          "cluster '" + cluster.name() + "' runs no Jobs of steps",
          "An administrator can say how it does, under clusters." + cluster.name() + ".jobs.");
    }
    JobPlace place = place(call, settings.get());
    JobRequests requests = new JobRequests(clusters, cluster.name(), place, call.lease());
    if (JobMemory.uid(call).isEmpty()) {
      return new JobBeginning(requests, settings.get(), clock).result(work);
    }
    return new JobFollowing(requests, limits.get(), clock).result(work);
  }

  private static JobPlace place(StepCall call, JobSettings settings) {
    return new JobPlace(
        JobMemory.namespace(call).orElseGet(() -> settings.namespaceOf(call.scope().team())), call);
  }

  /** Ends the Job of a call that no thread executes; returns when its pods are gone. */
  public void stop(StepCall call) throws InterruptedException {
    if (ClusterChoice.of(call, clusters) instanceof ClusterChoice.Chosen(Cluster cluster)
        && cluster.settings().jobs().isPresent()) {
      JobPlace place = place(call, Objects.requireNonNull(cluster.settings().jobs().get()));
      new JobEnding(new JobRequests(clusters, cluster.name(), place, call.lease()), clock).end();
    }
  }
}
