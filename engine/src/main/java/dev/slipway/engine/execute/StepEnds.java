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
  private final RunFolder folder;
  private boolean variablesChanged;

  StepEnds(RunFolder folder) {
    this.folder = folder;
  }

  /** Whether variables were set since this was asked last. */
  boolean takeVariablesChanged() {
    boolean changed = variablesChanged;
    variablesChanged = false;
    return changed;
  }

  void succeeded(Progress.Task task, Result.Succeeded result) {
    Optional<StepError> refusal = folder.values.refusal(result.outputs());
    if (refusal.isPresent()) {
      failed(task, refusal.get());
      return;
    }
    Set<String> secret = new HashSet<>(result.secretOutputs());
    secret.addAll(folder.secretOutputs.of(task.name()));
    folder.values.know(result.outputs(), secret);
    try {
      setVariables(task, result.outputs());
    } catch (RenderingException e) {
      notRenderable(task, e);
      return;
    }
    Map<String, Object> sealed = folder.values.seal(result.outputs(), secret);
    StepRecord record = folder.ledger.record(task.name());
    end(task, record.ended(StepState.SUCCEEDED, sealed, null, folder.now()), "step.completed");
  }

  /** Its child run succeeded with these outputs, sealed as they are. */
  void succeeded(Progress.Task task, Map<String, Object> sealed) {
    Map<String, Object> wanted = new LinkedHashMap<>(sealed);
    if (!task.step().outputs().isEmpty()) {
      wanted.keySet().retainAll(task.step().outputs());
    }
    try {
      setVariables(task, folder.values.open(wanted));
    } catch (RenderingException e) {
      notRenderable(task, e);
      return;
    }
    StepRecord record = folder.ledger.record(task.name());
    end(task, record.ended(StepState.SUCCEEDED, wanted, null, folder.now()), "step.completed");
  }

  private void setVariables(Progress.Task task, Map<String, Object> outputs) {
    if (task.step().setVariables().isEmpty()) {
      return;
    }
    Scope view = folder.values.viewAfter(task.name(), StepState.SUCCEEDED, outputs);
    folder.values.variables(folder.shop.rendering().setVariables(task.step(), view));
    variablesChanged = true;
  }

  /** An attempt failed: there is another one, or that was the last. */
  void attemptFailed(Progress.Task task, StepError error) {
    attemptFailed(task, error, Duration.ZERO);
  }

  /** The same, and the next attempt is not to come earlier than that. */
  void attemptFailed(Progress.Task task, StepError error, Duration notBefore) {
    StepRecord record = folder.ledger.record(task.name());
    Retry retry = task.step().retry();
    boolean again =
        record.attempt() < retry.attempts()
            && (error.kind() == StepError.Kind.TRANSIENT || retry.on() == Retry.On.ANY)
            && folder.progress().mayRepeat(task);
    if (!again) {
      failed(task, error);
      return;
    }
    Instant now = folder.now();
    StepError masked = folder.values.masked(error);
    Duration usual = retry.delayAfter(record.attempt(), folder.shop.random());
    Duration delay = notBefore.compareTo(usual) > 0 ? notBefore : usual;
    folder.ledger.attempt(
        new RunWrite.FailedAttempt(task.name(), record.attempt(), masked, record.startedAt(), now));
    StepRecord next = record.again(masked, now.plus(delay));
    folder.ledger.put(next);
    folder.ledger.tell(folder.events.step("step.retrying", next, now));
  }

  void parked(Progress.Task task, Result.Parked parked) {
    StepRecord record = folder.ledger.record(task.name());
    boolean asBefore =
        record.parked() != null && record.parked().waitingFor().equals(parked.waitingFor());
    StepExecutor.Limits limits = limits(task, record, parked);
    StepRecord waits =
        (countsFromNow(record, limits) ? record.startedAt(folder.now()) : record)
            .parked(
                parked.wakeAt(),
                new StepRecord.Parking(parked.waitingFor(), parked.memory(), limits));
    folder.ledger.put(waits);
    if (!asBefore) {
      folder.ledger.tell(folder.events.step("step.waiting", waits, folder.now()));
    }
  }

  /** Who let a manual step begin may be asked again and be away: its time goes on all the same. */
  private static StepExecutor.Limits limits(
      Progress.Task task, StepRecord record, Result.Parked parked) {
    boolean begun =
        StepLaunch.needsGate(task.step())
            && record.parked() != null
            && record.parked().limits() == StepExecutor.Limits.ALL;
    return begun ? StepExecutor.Limits.ALL : parked.limits();
  }

  /** People took their time before a manual step could begin: its own counts from here. */
  private static boolean countsFromNow(StepRecord record, StepExecutor.Limits limits) {
    return limits == StepExecutor.Limits.ALL
        && record.parked() != null
        && record.parked().limits() != StepExecutor.Limits.ALL;
  }

  /** It was stopped, and has ended by now. */
  void stopped(Progress.Task task, StepLaunch.Stop why) {
    switch (why) {
      case CANCEL -> without(task, StepState.CANCELLED);
      case TIMEOUT -> attemptFailed(task, timeout(task));
      case RUN_TIMEOUT -> failed(task, runTimeout());
      case LOST -> {}
    }
  }

  private StepError timeout(Progress.Task task) {
    StepRecord.Parking parked = folder.ledger.record(task.name()).parked();
    if (parked == null || parked.limits() != StepExecutor.Limits.ALL) {
      return timeout(task, "");
    }
    Object seen = parked.memory().get(Result.Parked.SEEN);
    String instead = seen == null ? "" : " (last seen: " + seen + ")";
    return timeout(task, "; it waited for " + parked.waitingFor() + instead);
  }

  /** With what it did meanwhile, in words. */
  static StepError timeout(Progress.Task task, String meanwhile) {
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
        Progress.RUN_TIMEOUT,
        "the run took longer than workflows may take",
        "Raise workflowPolicies.maxWorkflowDuration, or make the workflow shorter.");
  }

  void notRenderable(Progress.Task task, RenderingException e) {
    failed(
        task,
        StepError.permanent("template", String.valueOf(e.getMessage()), e.hint().orElse(null)));
  }

  void failed(Progress.Task task, StepError error) {
    StepRecord record = folder.ledger.record(task.name());
    StepError masked = folder.values.masked(error);
    end(task, record.ended(StepState.FAILED, null, masked, folder.now()), "step.failed");
  }

  /** It ends without having been executed to its end. */
  void without(Progress.Task task, StepState state) {
    StepRecord record = folder.ledger.record(task.name());
    StepRecord ended = record.ended(state, null, record.error(), folder.now());
    String event =
        switch (state) {
          case SKIPPED -> "step.skipped";
          case FAILED -> "step.failed";
          case CANCELLED, PENDING, RUNNING, WAITING, SUCCEEDED, ROLLED_BACK -> null;
        };
    end(task, ended, event);
  }

  void rolledBack(String name) {
    StepRecord undone = folder.ledger.record(name).rolledBack();
    folder.ledger.put(undone);
    folder.ledger.tell(folder.events.step("step.rolled-back", undone, folder.now()));
  }

  private void end(Progress.Task task, StepRecord ended, @Nullable String event) {
    folder.ledger.put(ended);
    folder.values.learn(ended);
    if (event != null) {
      folder.ledger.tell(folder.events.step(event, ended, folder.now()));
    }
    Duration took =
        ended.startedAt() == null
            ? Duration.ZERO
            : Duration.between(ended.startedAt(), ended.finishedAt());
    folder.shop.metrics().stepEnded(task.step().type(), ended.state(), took);
  }
}
