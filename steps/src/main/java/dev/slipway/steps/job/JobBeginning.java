package dev.slipway.steps.job;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.resolve.JobSettings;
import dev.slipway.kubernetes.apply.ClusterObject;
import dev.slipway.kubernetes.apply.RefusedException;
import dev.slipway.kubernetes.apply.RefusedException.Outlook;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * The first call for an attempt: creates the Job, suspended, with what its pod needs, and parks, so
 * that it is recorded that there is one before anything runs. A crash on the way repeats all of it:
 * what exists already is found by its name.
 */
record JobBeginning(JobRequests requests, JobSettings settings, InstantSource clock) {
  Result result(StepJobs.Work work) throws InterruptedException {
    try {
      requests.namespace();
      JobProgram program = work.program();
      ProviderArchive provider = ProviderArchive.of(call().scope().providerDirectory());
      String uid = create(program, provider);
      return new Result.Parked(
          clock.instant(),
          what(),
          new JobMemory(uid, requests.name(), requests.place().namespace()).stored());
    } catch (ClusterDownException e) {
      StepError error =
          StepError.passing(
              "cluster-down",
              String.valueOf(e.getMessage()),
              "Slipway tries again until the step's timeout.");
      return later(error, e.waitFor());
    } catch (RefusedException e) {
      return e.outlook() == Outlook.FINAL
          ? new Result.Failed(masked(e.error()), Map.of())
          : later(e.error(), e.after().orElse(Duration.ZERO));
    } catch (IOException e) {
      return Result.failed(
          "job-not-started",
          "the files of the provider cannot be read: " + e.getMessage(),
          "Check the disk and the permissions of the data directory.");
    } catch (IllegalArgumentException e) {
      return Result.failed("invalid-config", String.valueOf(e.getMessage()), null);
    }
  }

  private StepCall call() {
    return requests.place().call();
  }

  private String what() {
    return requests.place().job() + " in cluster '" + requests.name() + "'";
  }

  private String create(JobProgram program, ProviderArchive provider)
      throws RefusedException, ClusterDownException, InterruptedException {
    JobObjects objects = new JobObjects(requests.place(), settings);
    Optional<ClusterObject> found = requests.job();
    if (found.isEmpty()) {
      Duration left = Duration.between(clock.instant(), call().deadline());
      requests.create(requests.place().job(), objects.job(program, provider, left));
      found = requests.job();
    }
    ClusterObject job =
        found
            .filter(live -> !live.terminating())
            .orElseThrow(
                () ->
                    RefusedException.later(
                        "terminating",
                        requests.place().job() + " is being deleted",
                        "Slipway waits until it is gone."));
    if (!provider.files().isEmpty()) {
      requests.createOwned(requests.place().files(), objects.files(provider, job.uid()), job.uid());
    }
    requests.createOwned(
        requests.place().secret(), objects.secret(program, Pad.fresh(), job.uid()), job.uid());
    return job.uid();
  }

  private StepError masked(StepError error) {
    return new StepError(
        error.code(), call().secrets().mask(error.message()), error.kind(), error.hint());
  }

  private Result later(StepError error, Duration least) {
    Duration usual = new JobTries(call()).pause();
    Duration pause = least.compareTo(usual) > 0 ? least : usual;
    StepError shown = masked(error);
    if (!clock.instant().plus(pause).isBefore(call().deadline())) {
      return new Result.Failed(shown, Map.of(), least);
    }
    Map<String, Object> memory = new JobTries(call()).oneMore();
    memory.put(Result.Parked.SEEN, shown.message());
    return new Result.Parked(
        clock.instant().plus(pause), "cluster '" + requests.name() + "': " + shown.code(), memory);
  }
}
