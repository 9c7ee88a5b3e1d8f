package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.Workflow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a rollback: its steps one after the other, in the order that was stored when the
 * rollback was made. After a failed step the rest continues, so that as much as possible is undone.
 */
final class Backward implements NextSteps {
  private final List<Task> tasks;
  private final Map<String, StepRecord> records;
  private final Optional<RunStore.Cancel> cancel;

  /** The order names undoing steps of the workflow: {@code step/undoing}. */
  Backward(
      Workflow workflow,
      List<String> order,
      Map<String, StepRecord> records,
      Optional<RunStore.Cancel> cancel) {
    this.tasks = order.stream().map(name -> new Task(name, undoing(workflow, name))).toList();
    this.records = records;
    this.cancel = cancel;
  }

  private static Step undoing(Workflow workflow, String name) {
    int slash = name.indexOf('/');
    Step of = workflow.step(name.substring(0, slash)).orElseThrow();
    return Stream.concat(of.onError().rollbackSteps().stream(), of.compensate().stream())
        .filter(s -> s.name().equals(name.substring(slash + 1)))
        .findFirst()
        .orElseThrow();
  }

  /** Whether a step that undoes something has nothing left to do. */
  static boolean done(@Nullable StepState state) {
    return state == StepState.SUCCEEDED || state == StepState.SKIPPED;
  }

  @Override
  public Mode mode() {
    return cancel
        .map(how -> how == RunStore.Cancel.FORCED ? Mode.FORCED : Mode.CANCELLED)
        .orElse(Mode.GOING);
  }

  @Override
  public Optional<StepRecord> failure() {
    return handledFailures().stream().findFirst();
  }

  @Override
  public List<StepRecord> handledFailures() {
    return tasks.stream()
        .map(t -> record(t.name()))
        .filter(r -> r.state() == StepState.FAILED)
        .toList();
  }

  @Override
  public List<Verdict> verdicts() {
    if (mode() == Mode.GOING) {
      return List.of();
    }
    return tasks.stream()
        .filter(t -> record(t.name()).state() == StepState.PENDING)
        .map(t -> new Verdict(t.name(), StepState.CANCELLED))
        .toList();
  }

  @Override
  public List<Task> ready(Instant now) {
    return tasks.stream()
        .filter(t -> !record(t.name()).state().finished())
        .findFirst()
        .filter(t -> mode() == Mode.GOING && due(record(t.name()), now))
        .map(List::of)
        .orElse(List.of());
  }

  private static boolean due(StepRecord record, Instant now) {
    return record.state() == StepState.PENDING
        && (record.wakeAt() == null || !record.wakeAt().isAfter(now));
  }

  @Override
  public Optional<Task> task(String name) {
    return tasks.stream().filter(t -> t.name().equals(name)).findFirst();
  }

  @Override
  public boolean mayRepeat(Task task) {
    return mode() == Mode.GOING;
  }

  /** Partial when some was undone and some was not. */
  @Override
  public Optional<RunState> end() {
    List<StepState> states = tasks.stream().map(t -> record(t.name()).state()).toList();
    if (!states.stream().allMatch(StepState::finished)) {
      return Optional.empty();
    }
    if (states.contains(StepState.CANCELLED)) {
      return Optional.of(RunState.CANCELLED);
    }
    if (!states.contains(StepState.FAILED)) {
      return Optional.of(RunState.SUCCEEDED);
    }
    return Optional.of(states.contains(StepState.SUCCEEDED) ? RunState.PARTIAL : RunState.FAILED);
  }

  /** A rollback is not undone itself. */
  @Override
  public Optional<RunWrite.Rollback> rollback() {
    return Optional.empty();
  }

  @Override
  public List<Task> undoDue() {
    return List.of();
  }

  @Override
  public List<String> undoneBy(Map<String, StepState> ended) {
    return List.of();
  }

  private StepRecord record(String name) {
    StepRecord record = records.get(name);
    return record == null ? StepRecord.pending(name) : record;
  }
}
