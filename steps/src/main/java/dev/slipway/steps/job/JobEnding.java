package dev.slipway.steps.job;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.kubernetes.apply.ClusterObject;
import dev.slipway.kubernetes.apply.RefusedException;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Deletes the Job of an attempt and waits until its pods are gone. A cluster that does not answer
 * is asked again for as long as this replica owns the run and the cluster is configured: a step
 * must not count as ended while its program may run.
 */
final class JobEnding {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration BETWEEN_NOTES = Duration.ofSeconds(30);

  private final JobRequests requests;
  private final InstantSource clock;
  private Instant nextNote = Instant.MIN;

  JobEnding(JobRequests requests, InstantSource clock) {
    this.requests = requests;
    this.clock = clock;
  }

  /**
   * Ends it.
   *
   * @throws InterruptedException when another replica owns the run: the Job is left to that one
   */
  void end() throws InterruptedException {
    Optional<String> deleted = Optional.empty();
    while (true) {
      try {
        Optional<ClusterObject> job = requests.job();
        if (job.isEmpty() && none(deleted)) {
          return;
        }
        if (job.isPresent()) {
          deleted = Optional.of(job.get().uid());
          if (!job.get().terminating()) {
            requests.delete(job.get().uid());
          }
        }
        pause(PAUSE);
      } catch (ClusterDownException e) {
        if (!requests.configured()) {
          note(e.getMessage() + "; whether the step's Job has ended is not known");
          return;
        }
        note(e.getMessage() + "; the step ends when its Job is known to be gone");
        pause(e.waitFor());
      } catch (RefusedException e) {
        if (e.error().code().equals(StepError.NOT_OURS)) {
          return;
        }
        note(e.error().message() + "; the step ends when its Job is known to be gone");
        pause(Duration.ofSeconds(1));
      } catch (InterruptedException e) {
        call().lease().check();
      }
    }
  }

  private boolean none(Optional<String> uid)
      throws RefusedException, ClusterDownException, InterruptedException {
    Optional<String> known = uid.or(() -> JobMemory.of(call()).map(JobMemory::uid));
    return known.isEmpty() || requests.pods(known.get()).isEmpty();
  }

  private StepCall call() {
    return requests.place().call();
  }

  private void note(String text) {
    if (clock.instant().isBefore(nextNote)) {
      return;
    }
    nextNote = clock.instant().plus(BETWEEN_NOTES);
    call().log().line(StepLog.Stream.NOTE, text);
  }

  private void pause(Duration time) throws InterruptedException {
    LockSupport.parkNanos(time.toNanos());
    if (Thread.interrupted()) {
      call().lease().check();
    }
  }
}
