package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.resolve.ProviderRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Everything about one run that the parts of its worker share. Belongs to the worker's thread. */
final class LiveRun {
  final EngineContext context;
  final ClaimedRun run;
  final Definitions.Parsed definition;
  final ProviderRules rules;
  final SecretOutputs secretOutputs;
  final PendingTransition pending;
  final RunValues values;
  final RunEvents events;

  /** Whether the run is to be stopped. */
  Optional<RunStore.Cancel> cancel;

  /** How undoing goes; empty until it has begun. */
  Optional<RunWrite.Rollback> rollback;

  /** How many signals have been heeded. */
  int signals;

  /** How long the run might still take when this worker got it. */
  private final @Nullable Duration longest;

  private @Nullable Instant deadline;

  LiveRun(EngineContext context, ClaimedRun run, Definitions.Parsed definition) {
    this.context = context;
    this.run = run;
    this.definition = definition;
    this.pending = new PendingTransition(run);
    this.secretOutputs = SecretOutputs.of(definition.workflow());
    this.rules = rulesOfNow();
    this.values =
        new RunValues(context.box(), run, definition, context.rendering(), rules.secrets());
    this.events = new RunEvents(run, definition.snapshot());
    this.cancel = run.cancel();
    this.rollback = run.rollback();
    this.signals = run.signals();
    this.deadline = run.deadline();
    this.longest = deadline == null ? null : Duration.between(now(), deadline);
  }

  /**
   * When the run's time is up; null when it has no limit. A deadline that is further away than it
   * was at the beginning was set by a clock that has gone back since: it follows the clock.
   */
  @Nullable Instant deadline() {
    if (deadline != null && longest != null && longest.isPositive()) {
      Instant latest = now().plus(longest);
      deadline = deadline.isAfter(latest) ? latest : deadline;
    }
    return deadline;
  }

  /** The rules in force now; what is called has no more than those that call it. */
  ProviderRules rulesOfNow() {
    ProviderRules own = context.rules().apply(definition.snapshot().provider());
    return own.calledBy(ChildRuns.callers(run).stream().map(context.rules()).toList());
  }

  NextSteps progress() {
    NewRun.Undoing undoing = run.inputs().undoing();
    return undoing == null
        ? new Forward(definition.workflow(), pending.byName(), cancel, rollback)
        : new Backward(definition.workflow(), undoing.order(), pending.byName(), cancel);
  }

  NextSteps.Task task(String name) {
    return progress().task(name).orElseThrow();
  }

  Instant now() {
    return context.clock().instant();
  }

  /** The steps in that state, as they are now. */
  List<StepRecord> in(StepState state) {
    return pending.records().stream().filter(r -> r.state() == state).toList();
  }
}
