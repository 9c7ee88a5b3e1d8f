package dev.slipway.steps.job;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.apply.ClusterObject;
import dev.slipway.kubernetes.apply.RefusedException;
import dev.slipway.kubernetes.cluster.ApiStream;
import dev.slipway.kubernetes.cluster.ClusterDownException;
import dev.slipway.steps.process.Ending;
import dev.slipway.steps.process.Limit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The calls after the first one: lets the Job begin, unless it has, and follows it to its end. It
 * never creates a Job: one that is gone has run for an unknown time.
 */
final class JobFollowing {
  private static final Duration SOON = Duration.ofMillis(200);
  private static final Duration LAST_WORDS = Duration.ofSeconds(2);
  private static final Duration SELDOM = Duration.ofSeconds(3);
  private static final int QUICK_LOOKS = 50;
  private static final int MOST_REFUSALS = 20;

  private final JobRequests requests;
  private final ProcessLimits limits;
  private final InstantSource clock;
  private final JobOutput output;
  private final StepJobs.Work work;
  private final String uid;
  private String seen = "";
  private Instant nextLook = Instant.MIN;
  private int looks;
  private int unreadable;
  private @Nullable PodLog log;

  JobFollowing(JobRequests requests, String uid, StepJobs jobs, StepJobs.Work work) {
    this.work = work;
    this.requests = requests;
    this.limits = jobs.limits().get();
    this.clock = jobs.clock();
    StepCall call = requests.place().call();
    this.uid = uid;
    this.output = new JobOutput(call.log(), call.log().stored(), work::heard);
  }

  Result result() throws InterruptedException {
    try {
      return switch (end()) {
        case JobEnd.Exited exited -> work.result(exited);
        case JobEnd.Broken broken -> broken.failure();
      };
    } catch (InterruptedException e) {
      // Another replica that owns the run now goes on with the Job.
      call().lease().check();
      new JobEnding(requests, clock).end();
      lastWords();
      if (left().isPositive()) {
        throw e;
      }
      return timedOut().failure();
    } catch (IOException e) {
      return Result.failed("invalid-output", String.valueOf(e.getMessage()), null);
    } finally {
      closeLog();
    }
  }

  /** What the program said when it was asked to end. */
  private void lastWords() throws InterruptedException {
    PodLog now = log;
    Instant until = clock.instant().plus(LAST_WORDS);
    while (now != null && !now.ended() && clock.instant().isBefore(until)) {
      now.drainTo(output, SOON);
    }
  }

  private StepCall call() {
    return requests.place().call();
  }

  private Duration left() {
    return Duration.between(clock.instant(), call().deadline());
  }

  private JobEnd end() throws InterruptedException {
    while (left().isPositive()) {
      try {
        Optional<JobEnd> end = clock.instant().isBefore(nextLook) ? Optional.empty() : look();
        if (end.isPresent()) {
          return end.get();
        }
        listen();
      } catch (ClusterDownException e) {
        saw(String.valueOf(e.getMessage()));
        nextLook = clock.instant().plus(e.waitFor());
        closeLog();
        Thread.sleep(shortest(e.waitFor(), left()));
      } catch (RefusedException e) {
        saw(e.error().message());
        nextLook = clock.instant().plus(SELDOM);
        Thread.sleep(shortest(SELDOM, left()));
      }
      if (output.bytes() > limits.output()) {
        new JobEnding(requests, clock).end();
        return new JobEnd.Broken(
            new Ending.Exceeded(Limit.OUTPUT, output.bytes(), limits.output()).error());
      }
    }
    new JobEnding(requests, clock).end();
    return timedOut();
  }

  private static Duration shortest(Duration one, Duration other) {
    Duration least = one.compareTo(other) < 0 ? one : other;
    return least.isPositive() ? least : Duration.ZERO;
  }

  /** Notes what the Job waits for, when it is something new. */
  private void saw(String what) {
    String text = call().secrets().mask(what);
    if (!text.equals(seen)) {
      seen = text;
      call().log().line(StepLog.Stream.NOTE, text);
    }
  }

  /** Gives the log what has arrived; at its end the next look is due. */
  private void listen() throws InterruptedException {
    Duration wait = shortest(Duration.between(clock.instant(), nextLook), left());
    PodLog now = log;
    if (now == null || now.ended()) {
      Thread.sleep(wait);
      return;
    }
    now.drainTo(output, wait);
    if (now.ended()) {
      nextLook = clock.instant();
      looks = 0;
    }
  }

  private Optional<JobEnd> look()
      throws RefusedException, ClusterDownException, InterruptedException {
    nextLook = clock.instant().plus(looks++ < QUICK_LOOKS ? SOON : SELDOM);
    Optional<ClusterObject> job = requests.job().filter(live -> live.uid().equals(uid));
    if (job.isEmpty()) {
      return output.code().isPresent() ? exited() : Optional.of(gone());
    }
    if (Boolean.TRUE.equals(Values.map(job.get().content().get("spec")).get("suspend"))) {
      requests.begin(uid);
      return Optional.empty();
    }
    List<JobPod> pods = requests.pods(uid);
    if (pods.isEmpty()) {
      return withoutPod(job.get());
    }
    JobPod pod = pods.getFirst();
    pod.waiting().ifPresent(why -> saw("pod " + pod.name() + " waits: " + why));
    read(pod);
    if (!pod.ended()) {
      return Optional.empty();
    }
    if (output.code().isPresent()) {
      return exited();
    }
    PodLog now = log;
    boolean read = now != null && now.complete() || unreadable >= MOST_REFUSALS;
    return read || !pod.started() ? Optional.of(killed(pod)) : Optional.empty();
  }

  /** Opens the log, again when the connection was lost before its end. */
  private void read(JobPod pod)
      throws RefusedException, ClusterDownException, InterruptedException {
    PodLog now = log;
    boolean open = now != null && (!now.ended() || now.complete());
    if (!pod.started() || open || output.code().isPresent()) {
      return;
    }
    closeLog();
    ApiStream stream = requests.log(pod);
    if (stream.ok()) {
      log = new PodLog(stream, pod.ended() ? PodLog.Extent.WHOLE : PodLog.Extent.GROWING);
    } else {
      unreadable++;
      saw("the log of pod " + pod.name() + " cannot be read: status " + stream.status());
      stream.close();
    }
  }

  private Optional<JobEnd> exited()
      throws RefusedException, ClusterDownException, InterruptedException {
    Ending.Exited exit =
        new Ending.Exited(output.code().orElseThrow(), output.stdout(), output.lastErrorLine());
    return Optional.of(new JobEnd.Exited(exit, file()));
  }

  private JobEnd.ResultFile file()
      throws RefusedException, ClusterDownException, InterruptedException {
    Optional<String> unreadable = output.unreadable();
    if (unreadable.isPresent()) {
      return new JobEnd.ResultFile.Unreadable(unreadable.get());
    }
    Optional<String> hidden = output.hidden();
    if (hidden.isEmpty()) {
      return new JobEnd.ResultFile.Text(Optional.empty());
    }
    Optional<String> pad = requests.pad();
    if (pad.isEmpty()) {
      return new JobEnd.ResultFile.Unreadable("cannot be read: the Job's Secret is gone");
    }
    Optional<String> text = new Pad(Base64.getDecoder().decode(pad.get())).reveal(hidden.get());
    return text.isPresent()
        ? new JobEnd.ResultFile.Text(text)
        : new JobEnd.ResultFile.Unreadable("is not text in UTF-8");
  }

  private Optional<JobEnd> withoutPod(ClusterObject job)
      throws RefusedException, ClusterDownException, InterruptedException {
    if (output.code().isPresent()) {
      return exited();
    }
    Optional<Map<String, Object>> failed = condition(job, "Failed");
    if (failed.isPresent()) {
      return Optional.of(
          broken(
              "job-failed",
              requests.place().job() + " has no pod any more: " + failed.get().get("reason"),
              "The pod was deleted or evicted; the cluster's events say by whom."));
    }
    requests.warning(uid).ifPresent(why -> saw("the Job has no pod yet: " + why));
    return Optional.empty();
  }

  private static Optional<Map<String, Object>> condition(ClusterObject job, String type) {
    return Values.map(job.content().get("status")).get("conditions") instanceof List<?> list
        ? list.stream()
            .map(Values::map)
            .filter(c -> type.equals(c.get("type")) && "True".equals(c.get("status")))
            .findFirst()
        : Optional.empty();
  }

  private JobEnd gone() {
    return broken(
        "job-gone",
        requests.place().job() + " was deleted from outside, so how its program ended is unknown",
        "Look at what the step has done before you retry it. A Job is also gone an hour after it"
            + " has ended.");
  }

  private JobEnd killed(JobPod pod) {
    return broken(
        "pod-failed",
        "pod " + pod.name() + " ended before the program did: " + pod.reason(),
        "The step's log shows how far it came; clusters.%s.jobs.resources sets its limits."
            .formatted(requests.name()));
  }

  private static JobEnd broken(String code, String message, String hint) {
    return new JobEnd.Broken(StepError.permanent(code, message, hint));
  }

  private JobEnd.Broken timedOut() {
    String said = output.lastErrorLine().isBlank() ? "" : ": " + output.lastErrorLine().strip();
    return new JobEnd.Broken(
        StepError.permanent(
            "timeout",
            "stopped after its timeout" + (said.isEmpty() && !seen.isEmpty() ? "; " + seen : said),
            "Raise the step's timeout, or look at its log for what it waited for."));
  }

  private void closeLog() {
    PodLog now = log;
    if (now != null) {
      now.close();
      log = null;
    }
  }
}
