package dev.slipway.steps.job;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.resolve.JobSettings;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.kubernetes.cluster.Cluster;
import dev.slipway.kubernetes.cluster.Clusters;
import dev.slipway.steps.kubernetes.ClusterChoice;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
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

    /** Called with each line that the program has printed. */
    default void heard(StepLog.Stream stream, String line) {}

    /** What the step's result is. */
    Result result(JobEnd.Exited exited) throws IOException;
  }

  /** Whether the step is to run as a Job. */
  public static boolean asked(StepCall call) {
    return EXECUTOR.equals(call.config().get("executor"));
  }

  /** Runs it, or goes on with it: one Job for one key. */
  public Result run(StepCall call, Work work) throws InterruptedException {
    Optional<JobMemory> begun = JobMemory.of(call);
    if (begun.isPresent()) {
      JobRequests requests = requests(call, begun.get().cluster(), begun.get().namespace());
      return new JobFollowing(requests, begun.get().uid(), this, work).result();
    }
    return switch (ClusterChoice.of(call, clusters)) {
      case ClusterChoice.Refused(StepError error) -> new Result.Failed(error, Map.of());
      case ClusterChoice.Chosen(Cluster cluster) -> begin(call, work, cluster);
    };
  }

  private Result begin(StepCall call, Work work, Cluster cluster) throws InterruptedException {
    Optional<JobSettings> settings = cluster.settings().jobs();
    if (settings.isEmpty()) {
      return Result.failed(
          "jobs-not-configured",
          "cluster '" + cluster.name() + "' runs no Jobs of steps",
          "An administrator can say how it does, under clusters." + cluster.name() + ".jobs.");
    }
    String namespace = settings.get().namespaceOf(call.scope().team());
    return new JobBeginning(requests(call, cluster.name(), namespace), settings.get(), clock)
        .result(work);
  }

  private JobRequests requests(StepCall call, String cluster, String namespace) {
    return new JobRequests(clusters, cluster, new JobPlace(namespace, call), call.lease());
  }

  /** Ends the Job of a call that no thread executes; returns when its pods are gone. */
  public void stop(StepCall call) throws InterruptedException {
    Optional<JobRequests> requests =
        JobMemory.of(call)
            .map(begun -> requests(call, begun.cluster(), begun.namespace()))
            .or(() -> whereItWouldBe(call));
    if (requests.isPresent()) {
      new JobEnding(requests.get(), clock).end();
    }
  }

  /** Where a crash between the creation of a Job and the record of it leaves it, suspended. */
  private Optional<JobRequests> whereItWouldBe(StepCall call) {
    return switch (ClusterChoice.of(call, clusters)) {
      case ClusterChoice.Refused _ -> Optional.empty();
      case ClusterChoice.Chosen(Cluster cluster) ->
          cluster
              .settings()
              .jobs()
              .map(jobs -> jobs.namespaceOf(call.scope().team()))
              .map(namespace -> requests(call, cluster.name(), namespace));
    };
  }
}
