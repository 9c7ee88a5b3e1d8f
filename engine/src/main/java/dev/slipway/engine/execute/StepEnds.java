package dev.slipway.engine.execute;

import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.workflow.RenderingException;
import dev.slipway.engine.workflow.Retry;
import dev.slipway.engine.workflow.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Takes note of how steps end: their outputs, their errors, their next attempts. */
final class StepEnds {
  private final LiveRun live;
  private boolean variablesChanged;

  StepEnds(LiveRun live) {
    this.live = live;
  }

  /** Whether variables were set since this was asked last. */
  boolean takeVariablesChanged() {
    boolean changed = variablesChanged;
    variablesChanged = false;
    return changed;
  }

  void succeeded(NextSteps.Task task, Result.Succeeded result) {
    Optional<StepError> refusal = OutputLimits.refusal(result.outputs());
    if (refusal.isPresent()) {
      failed(task, refusal.get());
      return;
    }
    Set<String> secret = new HashSet<>(result.secretOutputs());
    secret.addAll(live.secretOutputs.of(task.name()));
    live.values.know(result.outputs(), secret);
    try {
      setVariables(task, result.outputs());
    } catch (RenderingException e) {
      notRenderable(task, e);
      return;
    }
    Map<String, Object> sealed = live.values.seal(result.outputs(), secret);
    StepRecord record = live.pending.record(task.name());
    end(task, record.ended(StepState.SUCCEEDED, sealed, null, live.now()), "step.completed");
  }

  /** Its child run succeeded with these outputs, sealed as they are. */
  void succeeded(NextSteps.Task task, Map<String, Object> sealed) {
    Map<String, Object> wanted = new LinkedHashMap<>(sealed);
    if (!task.step().outputs().isEmpty()) {
      wanted.keySet().retainAll(task.step().outputs());
    }
    try {
      setVariables(task, live.values.open(wanted));
    } catch (RenderingException e) {
      notRenderable(task, e);
      return;
    }
    StepRecord record = live.pending.record(task.name());
    end(task, record.ended(StepState.SUCCEEDED, wanted, null, live.now()), "step.completed");
  }

  private void setVariables(NextSteps.Task task, Map<String, Object> outputs) {
    if (task.step().setVariables().isEmpty()) {
      return;
    }
    Scope view = live.values.viewAfter(task.name(), StepState.SUCCEEDED, outputs);
    live.values.variables(live.context.rendering().setVariables(task.step(), view));
    variablesChanged = true;
  }

  /** An attempt failed: there is another one, or that was the last. */
  void attemptFailed(NextSteps.Task task, StepError error) {
    attemptFailed(task, error, Duration.ZERO);
  }

  /** The same, and the next attempt is not to come earlier than that. */
  void attemptFailed(NextSteps.Task task, StepError error, Duration notBefore) {
    StepRecord record = live.pending.record(task.name());
    Retry retry = task.step().retry();
    boolean again =
        record.attempt() < retry.attempts()
            && (error.kind() == StepError.Kind.TRANSIENT || retry.on() == Retry.On.ANY)
            && live.progress().mayRepeat(task);
    if (!again) {
      failed(task, error);
      return;
    }
    Instant now = live.now();
    StepError masked = live.values.masked(error);
    Duration usual = retry.delayAfter(record.attempt(), live.context.random());
    Duration delay = notBefore.compareTo(usual) > 0 ? notBefore : usual;
    live.pending.attempt(
        new RunWrite.FailedAttempt(task.name(), record.attempt(), masked, record.startedAt(), now));
    StepRecord next = record.again(masked, now.plus(delay));
    live.pending.put(next);
    live.pending.tell(live.events.step("step.retrying", next, now));
  }

  void parked(NextSteps.Task task, Result.Parked parked) {
    StepRecord record = live.pending.record(task.name());
    boolean asBefore =
        record.parked() != null && record.parked().waitingFor().equals(parked.waitingFor());
    StepExecutor.Limits limits = limits(task, record, parked);
    StepRecord waits =
        (countsFromNow(record, limits) ? record.startedAt(live.now()) : record)
            .parked(
                parked.wakeAt(),
                new StepRecord.Parking(parked.waitingFor(), parked.memory(), limits));
    live.pending.put(waits);
    if (!asBefore) {
      live.pending.tell(live.events.step("step.waiting", waits, live.now()));
    }
  }

  /** A manual step that executes may wait for another approval: its own time limit counts. */
  private static StepExecutor.Limits limits(
      NextSteps.Task task, StepRecord record, Result.Parked parked) {
    boolean begun =
        StepLaunch.needsGate(task.step())
            && record.parked() != null
            && record.parked().limits() == StepExecutor.Limits.ALL;
    return begun ? StepExecutor.Limits.ALL : parked.limits();
  }

  /** The time limit of a manual step counts from its approval. */
  private static boolean countsFromNow(StepRecord record, StepExecutor.Limits limits) {
    return limits == StepExecutor.Limits.ALL
        && record.parked() != null
        && record.parked().limits() != StepExecutor.Limits.ALL;
  }

  /** It was stopped, and has ended by now. */
  void stopped(NextSteps.Task task, StepLaunch.Stop why) {
    switch (why) {
      case CANCEL -> without(task, StepState.CANCELLED);
      case TIMEOUT -> attemptFailed(task, timeout(task));
      case RUN_TIMEOUT -> failed(task, runTimeout());
      case LOST -> {}
    }
  }

  private StepError timeout(NextSteps.Task task) {
    StepRecord.Parking parked = live.pending.record(task.name()).parked();
    if (parked == null || parked.limits() != StepExecutor.Limits.ALL) {
      return timeout(task, "");
    }
    Object seen = parked.memory().get(Result.Parked.SEEN);
    String instead = seen == null ? "" : " (last seen: " + seen + ")";
    return timeout(task, "; it waited for " + parked.waitingFor() + instead);
  }

  /** With what it did meanwhile, in words. */
  static StepError timeout(NextSteps.Task task, String meanwhile) {
    return StepError.passing(
        "timeout",
        "it took longer than its timeout of "
            + task.step().timeout().toSeconds()
            + " s"
            + meanwhile,
        "Raise the step's timeout, or find out what it waits for in its log.");
  }

  static StepError runTimeout() {
    return StepError.permanent(
        NextSteps.RUN_TIMEOUT,
        "the run took longer than workflows may take",
        "Raise workflowPolicies.maxWorkflowDuration, or make the workflow shorter.");
  }

  void notRenderable(NextSteps.Task task, RenderingException e) {
    failed(
        task,
        StepError.permanent("template", String.valueOf(e.getMessage()), e.hint().orElse(null)));
  }

  void failed(NextSteps.Task task, StepError error) {
    StepRecord record = live.pending.record(task.name());
    StepError masked = live.values.masked(error);
    end(task, record.ended(StepState.FAILED, null, masked, live.now()), "step.failed");
  }

  /** It ends without having been executed to its end. */
  void without(NextSteps.Task task, StepState state) {
    StepRecord record = live.pending.record(task.name());
    StepRecord ended = record.ended(state, null, record.error(), live.now());
    String event =
        switch (state) {
          case SKIPPED -> "step.skipped";
          case FAILED -> "step.failed";
          case CANCELLED, PENDING, RUNNING, WAITING, SUCCEEDED, ROLLED_BACK -> null;
        };
    end(task, ended, event);
  }

  void rolledBack(String name) {
    StepRecord undone = live.pending.record(name).rolledBack();
    live.pending.put(undone);
    live.pending.tell(live.events.step("step.rolled-back", undone, live.now()));
  }

  private void end(NextSteps.Task task, StepRecord ended, @Nullable String event) {
    live.pending.put(ended);
    live.values.learn(ended);
    if (event != null) {
      live.pending.tell(live.events.step(event, ended, live.now()));
    }
    Duration took =
        ended.startedAt() == null
            ? Duration.ZERO
            : Duration.between(ended.startedAt(), ended.finishedAt());
    live.context.metrics().stepEnded(task.step().type(), ended.state(), took);
  }
}
