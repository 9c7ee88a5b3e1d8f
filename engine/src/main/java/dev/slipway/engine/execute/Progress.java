package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.resolve.Breach;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.Workflow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a run may do next, worked out from nothing but its workflow, the records of its steps and
 * whether it is to be cancelled. Pure, so the answer after a crash is the answer before it.
 */
final class Progress {
  /** The code of a step that was stopped because the whole run took too long. */
  static final String RUN_TIMEOUT = "run-timeout";

  /** Failures that no workflow may shrug off. */
  private static final Set<String> FINAL = Set.of(RUN_TIMEOUT, Breach.CODE);

  private final Workflow workflow;
  private final Map<String, StepRecord> records;
  private final Optional<RunStore.Cancel> cancel;

  /** Records by name; a step without one is pending. */
  Progress(Workflow workflow, Map<String, StepRecord> records, Optional<RunStore.Cancel> cancel) {
    this.workflow = workflow;
    this.records = records;
    this.cancel = cancel;
  }

  /** How things stand, which decides which steps may still begin. */
  enum Mode {
    GOING,
    FAILED,
    CANCELLED,
    FORCED
  }

  /** A step of the workflow, or one that undoes something; then its name is longer. */
  record Task(String name, Step step) {}

  /** A step that will not run, and how that is called. */
  record Verdict(String name, StepState state) {}

  Mode mode() {
    if (cancel.isPresent()) {
      return cancel.get() == RunStore.Cancel.FORCED ? Mode.FORCED : Mode.CANCELLED;
    }
    return failure().isPresent() ? Mode.FAILED : Mode.GOING;
  }

  /** The failure that nobody handles; the earliest when there are several. */
  Optional<StepRecord> failure() {
    return workflow.steps().stream()
        .filter(this::failedUnhandled)
        .map(s -> record(s.name()))
        .min(Comparator.comparing(StepRecord::finishedAt));
  }

  /** Steps that failed although the run went on. */
  List<StepRecord> handledFailures() {
    return workflow.steps().stream()
        .map(s -> record(s.name()))
        .filter(r -> r.state() == StepState.FAILED)
        .toList();
  }

  /** Steps that will not run any more because of how things stand. */
  List<Verdict> verdicts() {
    Mode mode = mode();
    List<Verdict> verdicts = new ArrayList<>();
    for (Step step : workflow.steps()) {
      StepRecord record = record(step.name());
      if (record.state() == StepState.PENDING && !considered(step, mode, record)) {
        verdicts.add(new Verdict(step.name(), ending(mode, record)));
      }
    }
    return verdicts;
  }

  /** Steps whose turn it is, conditions not looked at. */
  List<Task> ready(Instant now) {
    if (rollbackPending()) {
      return nextUndo().filter(t -> due(record(t.name()), now)).map(List::of).orElse(List.of());
    }
    Mode mode = mode();
    return workflow.steps().stream()
        .filter(s -> record(s.name()).state() == StepState.PENDING)
        .filter(s -> allowed(s, mode) && dependenciesFinished(s))
        .filter(s -> due(record(s.name()), now))
        .map(s -> new Task(s.name(), s))
        .toList();
  }

  /** Steps that have succeeded, whose undoing has succeeded too, and that do not say so yet. */
  List<String> undone() {
    return compensated().stream()
        .filter(s -> record(s.name()).state() == StepState.SUCCEEDED)
        .filter(
            s -> undoOf(s).stream().allMatch(t -> is(t, StepState.SUCCEEDED, StepState.SKIPPED)))
        .map(Step::name)
        .toList();
  }

  /** The step or undoing step of that name. */
  Optional<Task> task(String name) {
    Optional<Task> own = workflow.step(name).map(s -> new Task(name, s));
    return own.isPresent()
        ? own
        : allUndo().stream().filter(t -> t.name().equals(name)).findFirst();
  }

  /** Whether a failed attempt of that step may be repeated. */
  boolean mayRepeat(Task task) {
    return switch (mode()) {
      case GOING -> true;
      case FAILED, CANCELLED ->
          workflow.step(task.name()).isEmpty() || allowed(task.step(), mode());
      case FORCED -> false;
    };
  }

  /** How the run ends, once every step has ended. */
  Optional<RunState> end() {
    boolean open =
        workflow.steps().stream().anyMatch(s -> !record(s.name()).state().finished())
            || rollbackPending();
    if (open) {
      return Optional.empty();
    }
    if (workflow.steps().stream().anyMatch(s -> is(s.name(), StepState.CANCELLED))) {
      return Optional.of(RunState.CANCELLED);
    }
    return Optional.of(failure().isPresent() ? RunState.FAILED : RunState.SUCCEEDED);
  }

  /** How undoing went, when there was any. */
  Optional<RunWrite.Rollback> rollback() {
    if (!rollbackWanted()) {
      return Optional.empty();
    }
    boolean complete =
        allUndo().stream().allMatch(t -> is(t, StepState.SUCCEEDED, StepState.SKIPPED));
    return Optional.of(complete ? RunWrite.Rollback.COMPLETE : RunWrite.Rollback.INCOMPLETE);
  }

  private boolean considered(Step step, Mode mode, StepRecord record) {
    if (allowed(step, mode)) {
      return true;
    }
    // While all goes well, a step for failures is only out once nothing before it can fail.
    return mode == Mode.GOING && !dependenciesFinished(step);
  }

  private static StepState ending(Mode mode, StepRecord record) {
    return switch (mode) {
      case GOING -> StepState.SKIPPED;
      case FAILED -> record.attempt() > 1 ? StepState.FAILED : StepState.SKIPPED;
      case CANCELLED, FORCED -> StepState.CANCELLED;
    };
  }

  private static boolean allowed(Step step, Mode mode) {
    return switch (mode) {
      case GOING -> step.when() != Step.When.ON_FAILURE;
      case FAILED -> step.when() == Step.When.ON_FAILURE || step.when() == Step.When.ALWAYS;
      case CANCELLED -> step.when() == Step.When.ALWAYS;
      case FORCED -> false;
    };
  }

  private boolean dependenciesFinished(Step step) {
    return step.dependsOn().stream().allMatch(name -> record(name).state().finished());
  }

  private static boolean due(StepRecord record, Instant now) {
    return record.state() == StepState.PENDING
        && (record.wakeAt() == null || !record.wakeAt().isAfter(now));
  }

  private boolean failedUnhandled(Step step) {
    StepRecord record = record(step.name());
    return record.state() == StepState.FAILED
        && (step.onError().action() != Step.OnError.Action.CONTINUE
            || record.error() != null && FINAL.contains(record.error().code()));
  }

  // ---------------------------------------------------------------- undoing

  private boolean rollbackWanted() {
    return mode() != Mode.FORCED && rollbackSource().isPresent();
  }

  private Optional<Step> rollbackSource() {
    return workflow.steps().stream()
        .filter(this::failedUnhandled)
        .filter(s -> s.onError().action() == Step.OnError.Action.ROLLBACK)
        .findFirst();
  }

  /** Undoing is due and not over; it waits for steps that still run. */
  private boolean rollbackPending() {
    return rollbackWanted()
        && allUndo().stream().anyMatch(t -> !record(t.name()).state().finished());
  }

  private Optional<Task> nextUndo() {
    boolean busy =
        records.values().stream()
            .anyMatch(r -> r.state() == StepState.RUNNING || r.state() == StepState.WAITING);
    if (busy) {
      return Optional.empty();
    }
    return allUndo().stream().filter(t -> !record(t.name()).state().finished()).findFirst();
  }

  /** The failed step's own undoing first, then that of what had succeeded, the latest first. */
  private List<Task> allUndo() {
    List<Task> tasks = new ArrayList<>();
    rollbackSource()
        .ifPresent(
            source -> source.onError().rollbackSteps().forEach(s -> tasks.add(undo(source, s))));
    compensated().forEach(s -> tasks.addAll(undoOf(s)));
    return tasks;
  }

  private List<Step> compensated() {
    if (rollbackSource().isEmpty()) {
      return List.of();
    }
    Predicate<Step> hadSucceeded =
        s -> is(s.name(), StepState.SUCCEEDED) || is(s.name(), StepState.ROLLED_BACK);
    List<Step> steps =
        new ArrayList<>(
            workflow.steps().stream()
                .filter(s -> !s.compensate().isEmpty() && hadSucceeded.test(s))
                .toList());
    steps.sort(
        Comparator.comparing((Step s) -> record(s.name()).finishedAt())
            .thenComparing(s -> workflow.steps().indexOf(s))
            .reversed());
    return steps;
  }

  private static List<Task> undoOf(Step step) {
    return step.compensate().stream().map(s -> undo(step, s)).toList();
  }

  private static Task undo(Step of, Step step) {
    return new Task(of.name() + "/" + step.name(), step);
  }

  private boolean is(Task task, StepState... states) {
    return List.of(states).contains(record(task.name()).state());
  }

  private boolean is(String name, StepState state) {
    return record(name).state() == state;
  }

  private StepRecord record(String name) {
    StepRecord record = records.get(name);
    return record == null ? StepRecord.pending(name) : record;
  }
}
