package dev.slipway.postgres.model;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepRecord;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.postgres.model.MemoryRuns.Row;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What must always hold. Looks at what was stored and what executors were asked, never inside. */
final class Rules implements MemoryRuns.Audit {
  /** How long a step may take to stop when its machine has woken up too late. */
  private static final Duration TO_STOP = Duration.ofSeconds(3);

  /** One call of an executor that goes on, and when it began. */
  private record Executing(StepCall call, Turns.Machine machine, long since) {
    /** Its machine stood still meanwhile, and it had no time to stop since then. */
    boolean overslept(Duration toStop) {
      return machine.stoodStill(since, toStop);
    }
  }

  private final List<String> violations = new ArrayList<>();
  private final List<Executing> executing = new ArrayList<>();
  private final Map<String, Long> lastEpoch = new HashMap<>();
  private final Map<String, Long> effects = new HashMap<>();
  private final Set<String> intents = new HashSet<>();
  private final Map<UUID, List<String>> undoing = new HashMap<>();
  private final List<String> story = new ArrayList<>();
  private final Turns turns;
  private MemoryRuns store;
  private int heldBack;

  Rules(Turns turns) {
    this.turns = turns;
  }

  void watch(MemoryRuns watched) {
    this.store = watched;
  }

  /** What happened, one line each. */
  List<String> story() {
    return story;
  }

  void tell(String what, Object... about) {
    long millis = Duration.between(Turns.START, turns.instant()).toMillis();
    story.add("%8d ms  %s".formatted(millis, what.formatted(about)));
  }

  /** How often a worker checked its lease before an effect and found it lost. */
  int heldBack() {
    return heldBack;
  }

  List<String> violations() {
    return violations;
  }

  private void check(boolean holds, String rule, Object... about) {
    if (!holds) {
      violations.add(rule.formatted(about));
    }
  }

  // ---------------------------------------------------------------- executors

  void begins(StepCall call, Turns.Machine machine) {
    String key = call.key();
    tell("%s executes %s (%s)", machine.name, key, call.origin());
    check(
        intents.contains(intent(key, call.epoch())),
        "%s acts before it is written that it does",
        key);
    Row row = store.rows.get(call.run());
    check(
        row.epoch == call.epoch(),
        "%s is begun on %s for epoch %d, which has lost the run to epoch %d",
        key,
        machine.name,
        call.epoch(),
        row.epoch);
    alone(call, machine);
    again(call);
    StepRecord record = row.steps.get(nameOf(call));
    if (row.epoch == call.epoch()) {
      check(
          record != null && record.state() == StepState.RUNNING,
          "%s executes but is stored as %s",
          key,
          record);
    }
    if (row.made.kind() == NewRun.Kind.ROLLBACK) {
      inOrder(row, call);
    }
    executing.add(new Executing(call, machine, turns.moment()));
  }

  private static String intent(String key, long epoch) {
    return key + " by " + epoch;
  }

  /** No other machine executes it, except for those that were frozen. */
  private void alone(StepCall call, Turns.Machine machine) {
    for (Executing other : executing) {
      check(
          !other.call.key().equals(call.key()) || other.overslept(TO_STOP),
          "%s executes on %s (epoch %d) while it executes on %s (epoch %d)",
          call.key(),
          machine.name,
          call.epoch(),
          other.machine.name,
          other.call.epoch());
    }
  }

  private void again(StepCall call) {
    Long last = lastEpoch.get(call.key());
    lastEpoch.merge(call.key(), call.epoch(), Math::max);
    switch (call.origin()) {
      case FRESH ->
          check(last == null, "%s is executed as if for the first time, again", call.key());
      case RECOVERED ->
          check(
              last == null || last < call.epoch(), "%s is repeated by the same owner", call.key());
      case RESUMED -> {} // of a step that asks first, only the question was there before
    }
  }

  void ends(StepCall call) {
    tell("the execution of %s by epoch %d ends", call.key(), call.epoch());
    executing.removeIf(e -> e.call == call);
  }

  /** The outside world changes under that key. */
  void effect(StepCall call) {
    Long before = effects.get(call.key());
    effects.merge(call.key(), call.epoch(), Math::max);
    check(
        sameOwner(call),
        "%s has its effect for epoch %d, which has lost the run",
        call.key(),
        call.epoch());
    check(
        before == null || before < call.epoch(),
        "%s has its effect twice, for the same owner",
        call.key());
  }

  /** A worker checked its lease before an effect and found it lost. */
  void heldBack(StepCall call, Turns.Machine machine) {
    tell("%s is held back from %s", machine.name, call.key());
    heldBack++;
  }

  private boolean sameOwner(StepCall call) {
    return store.rows.get(call.run()).epoch == call.epoch();
  }

  static String nameOf(StepCall call) {
    String key = call.key();
    return key.substring(key.indexOf('/') + 1, key.lastIndexOf('/'));
  }

  private void inOrder(Row row, StepCall call) {
    List<String> order = undoing.getOrDefault(row.made.id(), List.of());
    String name = nameOf(call);
    check(order.contains(name), "%s undoes what need not be undone: %s", call.key(), order);
    for (String earlier : order.subList(0, Math.max(0, order.indexOf(name)))) {
      check(
          finished(row, earlier), "%s begins before %s has ended: %s", call.key(), earlier, order);
    }
  }

  private static boolean finished(Row row, String step) {
    StepRecord record = row.steps.get(step);
    return record != null && record.state().finished();
  }

  // ---------------------------------------------------------------- the store

  @Override
  public void claimed(Row before, RunStore.Owner by, Instant now) {
    tell("%s claims %s as epoch %d", by.text(), before.made.id(), before.epoch + 1);
    check(!before.state.finished(), "run %s has ended and is claimed", before.made.id());
    check(
        before.owner == null || before.claimableAt == null || !before.claimableAt.isAfter(now),
        "run %s is claimed by %s while %s holds it",
        before.made.id(),
        by.text(),
        before.owner);
  }

  @Override
  public void written(Row before, RunWrite write, Row after) {
    UUID run = write.run();
    tell(
        "epoch %d writes %s: %s %s",
        write.epoch(),
        run,
        after.state,
        write.steps().stream().map(s -> s.name() + " " + s.state()).toList());
    check(
        write.epoch() == before.epoch && write.version() == before.version,
        "run %s is written to by a former owner (epoch %d, now %d)",
        run,
        write.epoch(),
        before.epoch);
    check(!before.state.finished(), "run %s has ended and changes", run);
    for (StepRecord step : write.steps()) {
      moved(before, step, after);
    }
    for (NewRun made : write.others().made()) {
      if (made.kind() == NewRun.Kind.ROLLBACK) {
        undoing.put(made.id(), expectedOrder(after));
      }
    }
    if (after.state.finished()) {
      ended(after);
    }
    awake();
  }

  private void moved(Row before, StepRecord step, Row after) {
    StepRecord was = before.steps.get(step.name());
    StepState from = was == null ? StepState.PENDING : was.state();
    String key = after.made.id() + "/" + step.name() + "/" + step.attempt();
    check(
        !from.finished() || from == StepState.SUCCEEDED && step.state() == StepState.ROLLED_BACK,
        "%s has ended as %s and becomes %s",
        key,
        from,
        step.state());
    check(
        was == null || step.attempt() == was.attempt() || step.attempt() == was.attempt() + 1,
        "%s skips an attempt",
        key);
    if (step.state() == StepState.RUNNING) {
      intents.add(intent(key, after.epoch));
    }
    if (step.state() == StepState.RUNNING || step.state() == StepState.WAITING) {
      if (from == StepState.PENDING && after.made.kind() != NewRun.Kind.ROLLBACK) {
        inTurn(after, step);
      }
    }
    if (step.state() == StepState.SUCCEEDED || step.state() == StepState.ROLLED_BACK) {
      agrees(after, step);
    }
  }

  private void inTurn(Row row, StepRecord step) {
    Step plan = row.made.definition().workflow().step(step.name()).orElseThrow();
    for (String dependency : plan.dependsOn()) {
      check(
          finished(row, dependency),
          "%s/%s begins before %s has ended",
          row.made.id(),
          step.name(),
          dependency);
    }
    boolean failed =
        row.made.definition().workflow().steps().stream().anyMatch(s -> failedUnhandled(row, s));
    check(
        plan.when() != Step.When.ON_FAILURE || failed,
        "%s/%s begins although nothing failed",
        row.made.id(),
        step.name());
    check(
        !failed || plan.when() == Step.When.ON_FAILURE || plan.when() == Step.When.ALWAYS,
        "%s/%s begins although the run has failed",
        row.made.id(),
        step.name());
  }

  private static boolean failedUnhandled(Row row, Step step) {
    StepRecord record = row.steps.get(step.name());
    return record != null
        && record.state() == StepState.FAILED
        && step.onError().action() != Step.OnError.Action.CONTINUE;
  }

  /** A step that called a run did what that run did; one that is undone was undone. */
  private void agrees(Row row, StepRecord step) {
    List<Row> children = store.children(row.made.id());
    if (step.state() == StepState.ROLLED_BACK) {
      Optional<Row> rollback =
          children.stream().filter(c -> c.made.kind() == NewRun.Kind.ROLLBACK).findFirst();
      check(
          rollback.isPresent() && undone(rollback.get(), step.name() + "/undo-" + step.name()),
          "%s/%s counts as undone but is not",
          row.made.id(),
          step.name());
      return;
    }
    for (Row child : children) {
      NewRun.CalledBy by = child.made.origin().calledBy();
      if (by != null && by.step().equals(step.name()) && by.attempt() == step.attempt()) {
        check(
            child.state == RunState.SUCCEEDED,
            "%s/%s succeeded, its run is %s",
            row.made.id(),
            step.name(),
            child.state);
      }
    }
  }

  private static boolean undone(Row rollback, String step) {
    StepRecord record = rollback.steps.get(step);
    return record != null
        && (record.state() == StepState.SUCCEEDED || record.state() == StepState.SKIPPED);
  }

  /** Worked out from what is stored: own undoing first, then the latest success first. */
  private static List<String> expectedOrder(Row failed) {
    Workflow workflow = failed.made.definition().workflow();
    List<String> order = new ArrayList<>();
    workflow.steps().stream()
        .filter(s -> failedUnhandled(failed, s))
        .filter(s -> s.onError().action() == Step.OnError.Action.ROLLBACK)
        .findFirst()
        .ifPresent(
            s -> s.onError().rollbackSteps().forEach(o -> order.add(s.name() + "/" + o.name())));
    List<Step> done = new ArrayList<>();
    for (Step step : workflow.steps()) {
      StepRecord record = failed.steps.get(step.name());
      if (record != null && record.state() == StepState.SUCCEEDED) {
        done.addFirst(step);
      }
    }
    done.sort(Comparator.comparing((Step s) -> failed.steps.get(s.name()).finishedAt()).reversed());
    done.forEach(s -> s.compensate().forEach(c -> order.add(s.name() + "/" + c.name())));
    return order;
  }

  private void ended(Row row) {
    UUID run = row.made.id();
    boolean refused = row.error != null && row.error.code().equals("refused-write");
    if (row.made.kind() != NewRun.Kind.ROLLBACK && !refused) {
      for (Step step : row.made.definition().workflow().steps()) {
        check(finished(row, step.name()), "run %s ends before its step %s", run, step.name());
      }
    }
    check(
        row.state != RunState.CANCELLED || row.cancel != null,
        "run %s is cancelled without a request",
        run);
    check(row.owner == null && row.claimableAt == null, "run %s ends but is held", run);
    for (Row child : store.children(run)) {
      check(
          child.state.finished() || child.cancel != null || refused,
          "run %s ends before %s, which it made",
          run,
          child.made.id());
      if (child.made.kind() == NewRun.Kind.ROLLBACK && child.state.finished()) {
        check(
            (row.rollback == RunWrite.Rollback.COMPLETE) == (child.state == RunState.SUCCEEDED)
                || refused,
            "run %s says that its undoing is %s, which is %s",
            run,
            row.rollback,
            child.state);
      }
    }
  }

  /**
   * Each run that has not ended has an owner, a time at which it is due, or a run that wakes it.
   */
  private void awake() {
    for (Row row : store.rows.values()) {
      boolean asleep = !row.state.finished() && row.claimableAt == null;
      check(
          !asleep || store.children(row.made.id()).stream().anyMatch(c -> !c.state.finished()),
          "run %s waits, and nothing will wake it",
          row.made.id());
    }
  }

  void over() {
    for (Row row : store.rows.values()) {
      check(
          row.state.finished(),
          "run %s never ends: it is %s, held by %s, due at %s, %s",
          row.made.id(),
          row.state,
          row.owner,
          row.claimableAt,
          row.steps);
    }
    check(turns.busy().isEmpty(), "all is over, and %s goes on", turns.busy());
  }
}
