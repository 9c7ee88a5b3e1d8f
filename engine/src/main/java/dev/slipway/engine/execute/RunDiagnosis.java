package dev.slipway.engine.execute;

import dev.slipway.engine.graph.NodeView.Why;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import java.time.Instant;
import java.util.Optional;

/** Says why a run waits, goes on or has failed. A pure function of what is recorded of it. */
public final class RunDiagnosis {

  /**
   * A run as far as it matters here.
   *
   * @param name how people call it: {@code postgres/create}
   * @param step the one that counts: waiting, failed or running
   * @param claim who may take it up, and when
   * @param error of its end
   */
  public record Facts(
      String id,
      NewRun.Kind kind,
      String name,
      RunState state,
      Instant since,
      Optional<Step> step,
      Claim claim,
      Optional<Problem> error,
      Ending ending) {}

  /** An error in words. */
  public record Problem(String code, String message) {}

  /**
   * A step.
   *
   * @param waitingFor in words
   * @param wakeAt when it goes on at the latest
   * @param approval its id, if the step waits for one
   */
  public record Step(
      String name,
      StepState state,
      int attempt,
      Optional<String> waitingFor,
      Optional<Instant> wakeAt,
      Optional<Instant> startedAt,
      Optional<Problem> error,
      Optional<String> approval) {}

  /**
   * The lease on it.
   *
   * @param owner the replica that holds it
   * @param until when the lease ends, or a replica may claim it; empty: when a signal arrives
   */
  public record Claim(Optional<String> owner, Optional<Instant> until) {}

  /** Whether something ends it from outside, and what became of its rollback. */
  public record Ending(boolean cancelled, Optional<String> rollback) {}

  private RunDiagnosis() {}

  /** Empty if the run has succeeded. */
  public static Optional<Why> of(Facts run, Instant now) {
    return switch (run.state()) {
      case SUCCEEDED -> Optional.empty();
      case PENDING -> why(pending(run, now), run.since(), Optional.empty());
      case RUNNING -> why(running(run, now), since(run), Optional.empty());
      case WAITING -> why(waiting(run), since(run), approve(run));
      case PARTIAL, FAILED, CANCELLED -> why(ended(run), run.since(), again(run));
    };
  }

  private static Optional<Why> why(String text, Instant since, Optional<String> command) {
    return Optional.of(new Why(text, Optional.of(since), command));
  }

  private static Instant since(Facts run) {
    return run.step().flatMap(Step::startedAt).orElse(run.since());
  }

  private static String pending(Facts run, Instant now) {
    Optional<Instant> until = run.claim().until();
    if (until.isEmpty()) {
      return "waits for a signal before a replica may claim it";
    }
    return until.get().isAfter(now)
        ? "may be claimed by a replica from " + until.get() + " on"
        : "waits in the queue until a replica claims it";
  }

  private static String running(Facts run, Instant now) {
    String what =
        run.step()
            .map(step -> "runs step '" + step.name() + "'" + attempt(step))
            .orElse("runs '" + run.name() + "'");
    String stopping = run.ending().cancelled() ? ", and is asked to stop" : "";
    return what + stopping + lease(run.claim(), now);
  }

  private static String lease(Claim claim, Instant now) {
    if (claim.owner().isEmpty() || claim.until().isEmpty()) {
      return "";
    }
    String owner = " on replica " + claim.owner().get();
    return claim.until().get().isAfter(now)
        ? owner
        : owner
            + ", whose lease ended at "
            + claim.until().get()
            + ": another replica takes the run over";
  }

  private static String waiting(Facts run) {
    String stopping = run.ending().cancelled() ? "; the run is asked to stop" : "";
    if (run.step().isEmpty()) {
      return "waits for the runs that its steps called" + stopping;
    }
    Step step = run.step().get();
    String until = step.wakeAt().map(at -> ", until " + at + " at the latest").orElse("");
    if (step.error().isPresent() && step.waitingFor().isEmpty()) {
      return "step '"
          + step.name()
          + "' failed and is tried again"
          + step.wakeAt().map(at -> " at " + at).orElse("")
          + attempt(step)
          + ": "
          + step.error().get().message()
          + stopping;
    }
    return step.approval()
            .map(id -> "step '" + step.name() + "' waits for approval " + id + until)
            .orElseGet(
                () ->
                    "step '"
                        + step.name()
                        + "' waits for "
                        + step.waitingFor().orElse("its timer")
                        + until
                        + attempt(step))
        + stopping;
  }

  private static String attempt(Step step) {
    return step.attempt() > 1 ? " (attempt " + step.attempt() + ")" : "";
  }

  private static Optional<String> approve(Facts run) {
    return run.step().flatMap(Step::approval).map(id -> "slipway approve " + id);
  }

  private static String ended(Facts run) {
    String message =
        run.error()
            .or(() -> run.step().flatMap(Step::error))
            .map(Problem::message)
            .orElse("no error is recorded");
    String rollback = run.ending().rollback().map(state -> "; its rollback is " + state).orElse("");
    return switch (run.state()) {
      case PARTIAL -> "ended in part: " + message + rollback;
      case CANCELLED -> "was cancelled" + rollback;
      case FAILED, PENDING, RUNNING, WAITING, SUCCEEDED -> message + rollback;
    };
  }

  /** A run that another one made is tried again with that one. */
  private static Optional<String> again(Facts run) {
    if (run.ending().rollback().filter("incomplete"::equals).isPresent()) {
      return Optional.of("slipway run retry " + run.id() + " --rollback");
    }
    return run.kind().belongsToAnother()
        ? Optional.empty()
        : Optional.of("slipway run retry " + run.id());
  }
}
