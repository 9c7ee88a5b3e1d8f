package dev.slipway.engine.execute;

import dev.slipway.engine.execute.RunWrite.Rollback;
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
 * The way of a run through its workflow. When a failed step asks for it, what had succeeded is
 * undone by a rollback, a run of its own: nothing begins here until that has ended.
 */
final class Forward implements NextSteps {
  /** Failures that no workflow may shrug off. */
  private static final Set<String> FINAL = Set.of(RUN_TIMEOUT, Breach.CODE);

  private final Workflow workflow;
  private final Map<String, StepRecord> records;
  private final Optional<RunStore.Cancel> cancel;
  private final Optional<Rollback> rollback;

  /** Records by name; a step without one is pending. The rollback is empty until it has begun. */
  Forward(
      Workflow workflow,
      Map<String, StepRecord> records,
      Optional<RunStore.Cancel> cancel,
      Optional<Rollback> rollback) {
    this.workflow = workflow;
    this.records = records;
    this.cancel = cancel;
    this.rollback = rollback;
  }

  @Override
  public Mode mode() {
    if (cancel.isPresent()) {
      return cancel.get() == RunStore.Cancel.FORCED ? Mode.FORCED : Mode.CANCELLED;
    }
    return failure().isPresent() ? Mode.FAILED : Mode.GOING;
  }

  @Override
  public Optional<StepRecord> failure() {
    return workflow.steps().stream()
        .filter(this::failedUnhandled)
        .map(s -> record(s.name()))
        .min(Comparator.comparing(StepRecord::finishedAt));
  }

  @Override
  public List<StepRecord> handledFailures() {
    return workflow.steps().stream()
        .map(s -> record(s.name()))
        .filter(r -> r.state() == StepState.FAILED)
        .toList();
  }

  @Override
  public List<Verdict> verdicts() {
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

  @Override
  public List<Task> ready(Instant now) {
    if (rollbackPending()) {
      return List.of();
    }
    Mode mode = mode();
    return workflow.steps().stream()
        .filter(s -> record(s.name()).state() == StepState.PENDING)
        .filter(s -> allowed(s, mode) && dependenciesFinished(s))
        .filter(s -> due(record(s.name()), now))
        .map(s -> new Task(s.name(), s))
        .toList();
  }

  @Override
  public Optional<Task> task(String name) {
    Optional<Task> own = workflow.step(name).map(s -> new Task(name, s));
    return own.isPresent()
        ? own
        : allUndo().stream().filter(t -> t.name().equals(name)).findFirst();
  }

  @Override
  public boolean mayRepeat(Task task) {
    return switch (mode()) {
      case GOING -> true;
      case FAILED, CANCELLED ->
          workflow.step(task.name()).isEmpty() || allowed(task.step(), mode());
      case FORCED -> false;
    };
  }

  @Override
  public Optional<RunState> end() {
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

  @Override
  public Optional<Rollback> rollback() {
    return rollback.isPresent() || !rollbackWanted()
        ? rollback
        : Optional.of(Rollback.COMPLETE); // there was nothing to undo
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

  private boolean rollbackPending() {
    return rollback.isPresent()
        ? rollback.get() == Rollback.RUNNING
        : rollbackWanted() && !undoLeft().isEmpty();
  }

  /** What a rollback has to do, in its order; nothing while steps still run. */
  @Override
  public List<Task> undoDue() {
    boolean busy =
        records.values().stream()
            .anyMatch(r -> r.state() == StepState.RUNNING || r.state() == StepState.WAITING);
    return busy || rollback.isPresent() || !rollbackWanted() ? List.of() : undoLeft();
  }

  @Override
  public List<String> undoneBy(Map<String, StepState> ended) {
    return compensated().stream()
        .filter(s -> is(s.name(), StepState.SUCCEEDED))
        .filter(s -> undoOf(s).stream().allMatch(t -> undone(t, ended)))
        .map(Step::name)
        .toList();
  }

  private boolean undone(Task task, Map<String, StepState> ended) {
    return Backward.done(ended.get(task.name())) || Backward.done(record(task.name()).state());
  }

  /** Runs of the first version undid in themselves: what one of them has done is not repeated. */
  private List<Task> undoLeft() {
    return allUndo().stream().filter(t -> !Backward.done(record(t.name()).state())).toList();
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

  private boolean is(String name, StepState state) {
    return record(name).state() == state;
  }

  private StepRecord record(String name) {
    StepRecord record = records.get(name);
    return record == null ? StepRecord.pending(name) : record;
  }
}
