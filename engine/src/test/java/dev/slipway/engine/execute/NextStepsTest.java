package dev.slipway.engine.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.RunStore.Cancel;
import dev.slipway.engine.execute.RunWrite.Rollback;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.workflow.Retry;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.Step.OnError;
import dev.slipway.engine.workflow.Step.When;
import dev.slipway.engine.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class NextStepsTest {
  private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");

  private final Map<String, StepRecord> records = new LinkedHashMap<>();
  private Optional<Rollback> rollback = Optional.empty();

  @Test
  void a_step_starts_when_everything_it_waits_for_has_ended() {
    Workflow workflow = workflow(step("a"), step("b", "a"), step("c"), step("d", "a", "c"));

    assertThat(ready(workflow)).containsExactly("a", "c");
    record("a", StepState.SUCCEEDED);
    assertThat(ready(workflow)).containsExactly("b", "c");
    record("c", StepState.SKIPPED);
    assertThat(ready(workflow)).containsExactly("b", "d");
  }

  @Test
  void a_retry_is_not_ready_before_its_time() {
    Workflow workflow = workflow(step("a"));
    records.put(
        "a",
        StepRecord.pending("a")
            .started("", NOW)
            .again(StepError.passing("x", "y", null), NOW.plusSeconds(5)));

    assertThat(ready(workflow)).isEmpty();
    assertThat(progress(workflow, Optional.empty()).ready(NOW.plusSeconds(5))).hasSize(1);
  }

  @Test
  void a_step_for_failures_is_out_as_soon_as_nothing_before_it_can_fail() {
    Workflow workflow = workflow(step("a"), when(step("b", "a"), When.ON_FAILURE));

    assertThat(progress(workflow, Optional.empty()).verdicts()).isEmpty();
    record("a", StepState.SUCCEEDED);
    assertThat(progress(workflow, Optional.empty()).verdicts())
        .containsExactly(new NextSteps.Verdict("b", StepState.SKIPPED));
  }

  @Test
  void a_cancel_that_finds_everything_done_changes_nothing() {
    Workflow workflow = workflow(step("a"));
    record("a", StepState.SUCCEEDED);

    assertThat(progress(workflow, Optional.of(Cancel.REQUESTED)).end())
        .contains(RunState.SUCCEEDED);
  }

  /**
   * Random workflows with random outcomes, played to their end with their rollbacks: each ends,
   * nothing starts before what it waits for, nothing starts twice, and while something is undone
   * nothing begins.
   */
  @Test
  void every_run_ends_and_no_step_starts_before_its_turn() {
    for (int seed = 0; seed < 5_000; seed++) {
      play(seed);
    }
  }

  private void play(int seed) {
    Random random = new Random(seed);
    records.clear();
    rollback = Optional.empty();
    Workflow workflow = randomWorkflow(random);
    Optional<Cancel> cancel = Optional.empty();
    Set<String> started = new LinkedHashSet<>();
    List<String> executing = new ArrayList<>();
    for (int moves = 0; ; moves++) {
      assertThat(moves).as("seed %d ends", seed).isLessThan(500);
      settle(workflow, cancel, started, executing, seed);
      NextSteps progress = progress(workflow, cancel);
      List<NextSteps.Task> undo = progress.undoDue();
      if (!undo.isEmpty()) {
        assertThat(executing).as("seed %d undoes when nothing runs", seed).isEmpty();
        assertThat(progress.end()).as("seed %d waits for its rollback", seed).isEmpty();
        undo(workflow, undo, random, seed);
        continue;
      }
      if (executing.isEmpty()) {
        assertThat(progress.end()).as("seed %d is stuck: %s", seed, records).isPresent();
        return;
      }
      if (random.nextInt(30) == 0 && cancel.isEmpty()) {
        cancel = Optional.of(random.nextBoolean() ? Cancel.REQUESTED : Cancel.FORCED);
      }
      String name = executing.remove(random.nextInt(executing.size()));
      StepState end =
          random.nextInt(4) == 0
              ? StepState.FAILED
              : cancel.isPresent() && random.nextBoolean()
                  ? StepState.CANCELLED
                  : StepState.SUCCEEDED;
      records.put(name, ended(records.get(name), end, moves));
    }
  }

  private void settle(
      Workflow workflow,
      Optional<Cancel> cancel,
      Set<String> started,
      List<String> executing,
      int seed) {
    boolean moved = true;
    while (moved) {
      moved = false;
      for (NextSteps.Verdict verdict : progress(workflow, cancel).verdicts()) {
        records.put(verdict.name(), ended(StepRecord.pending(verdict.name()), verdict.state(), 0));
        moved = true;
      }
      for (NextSteps.Task task : progress(workflow, cancel).ready(NOW)) {
        assertThat(started.add(task.name())).as("seed %d starts %s once", seed, task).isTrue();
        assertThat(dependencies(workflow, task))
            .as("seed %d starts %s in its turn", seed, task.name())
            .allMatch(r -> r != null && r.state().finished());
        records.put(task.name(), StepRecord.pending(task.name()).started("", NOW));
        executing.add(task.name());
        moved = true;
      }
    }
  }

  /** Plays the rollback as a run of its own, with crashes: all it knows is what is written. */
  private void undo(Workflow workflow, List<NextSteps.Task> undo, Random random, int seed) {
    rollback = Optional.of(Rollback.RUNNING);
    List<String> order = undo.stream().map(NextSteps.Task::name).toList();
    Map<String, StepRecord> own = new LinkedHashMap<>();
    Optional<Cancel> cancel = Optional.empty();
    List<String> begun = new ArrayList<>();
    while (true) {
      assertThat(progress(workflow, Optional.empty()).ready(NOW)).as("seed %d", seed).isEmpty();
      NextSteps backward = new Backward(workflow, order, own, cancel);
      for (NextSteps.Verdict verdict : backward.verdicts()) {
        own.put(verdict.name(), ended(StepRecord.pending(verdict.name()), verdict.state(), 0));
      }
      List<NextSteps.Task> ready = backward.ready(NOW);
      if (ready.isEmpty()) {
        break;
      }
      assertThat(ready).as("seed %d undoes one after the other", seed).hasSize(1);
      String name = ready.getFirst().name();
      begun.add(name);
      StepState end = random.nextInt(4) == 0 ? StepState.FAILED : StepState.SUCCEEDED;
      own.put(name, ended(StepRecord.pending(name).started("", NOW), end, 1));
      cancel = random.nextInt(20) == 0 ? Optional.of(Cancel.REQUESTED) : cancel;
    }
    assertThat(begun).as("seed %d keeps the order", seed).isEqualTo(order.subList(0, begun.size()));
    RunState end = new Backward(workflow, order, own, cancel).end().orElseThrow();
    Map<String, StepState> states = new LinkedHashMap<>();
    own.forEach((name, record) -> states.put(name, record.state()));
    for (String name : progress(workflow, Optional.empty()).undoneBy(states)) {
      records.put(name, records.get(name).rolledBack());
    }
    rollback = Optional.of(end == RunState.SUCCEEDED ? Rollback.COMPLETE : Rollback.INCOMPLETE);
    boolean all = states.values().stream().allMatch(s -> s == StepState.SUCCEEDED);
    assertThat(rollback.get() == Rollback.COMPLETE).as("seed %d", seed).isEqualTo(all);
  }

  private List<StepRecord> dependencies(Workflow workflow, NextSteps.Task task) {
    return workflow.step(task.name()).isEmpty()
        ? List.of()
        : task.step().dependsOn().stream().map(records::get).toList();
  }

  private static Workflow randomWorkflow(Random random) {
    List<Step> steps = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      List<String> names = steps.stream().map(Step::name).toList();
      List<String> dependencies =
          random.nextInt(3) > 0
              ? names
              : names.stream().filter(n -> random.nextBoolean()).collect(Collectors.toList());
      When when = List.copyOf(EnumSet.allOf(When.class)).get(random.nextInt(When.values().length));
      OnError.Action action =
          List.copyOf(EnumSet.allOf(OnError.Action.class)).get(random.nextInt(3));
      List<Step> undo = random.nextBoolean() ? List.of(step("undo")) : List.of();
      Step plain = step("s" + i, dependencies.toArray(String[]::new));
      steps.add(
          with(
              plain,
              when,
              new OnError(action, random.nextBoolean() ? List.of(step("own")) : List.of()),
              undo));
    }
    return workflow(steps.toArray(Step[]::new));
  }

  private static StepRecord ended(StepRecord record, StepState state, int second) {
    StepError error = state == StepState.FAILED ? StepError.permanent("x", "y", null) : null;
    return record.ended(state, Map.of(), error, NOW.plusSeconds(second));
  }

  private void record(String name, StepState state) {
    records.put(name, ended(StepRecord.pending(name).started("", NOW), state, 1));
  }

  private List<String> ready(Workflow workflow) {
    return progress(workflow, Optional.empty()).ready(NOW).stream()
        .map(NextSteps.Task::name)
        .toList();
  }

  private NextSteps progress(Workflow workflow, Optional<Cancel> cancel) {
    return new Forward(workflow, records, cancel, rollback);
  }

  private static Workflow workflow(Step... steps) {
    return new Workflow("w", "", List.of(), Map.of(), List.of(steps), Map.of(), List.of());
  }

  private static Step when(Step step, When when) {
    return with(step, when, step.onError(), step.compensate());
  }

  private static Step step(String name, String... dependsOn) {
    return new Step(
        name,
        "noop",
        Map.of(),
        When.ON_SUCCESS,
        List.of(),
        List.of(dependsOn),
        Duration.ofMinutes(10),
        Retry.ONCE,
        Map.of(),
        List.of(),
        null,
        Map.of(),
        Map.of(),
        new OnError(OnError.Action.FAIL, List.of()),
        List.of(),
        Optional.empty());
  }

  private static Step with(Step step, When when, OnError onError, List<Step> undo) {
    return new Step(
        step.name(),
        step.type(),
        step.config(),
        when,
        step.conditions(),
        step.dependsOn(),
        step.timeout(),
        step.retry(),
        step.env(),
        step.outputs(),
        step.outputFile(),
        step.capture(),
        step.setVariables(),
        onError,
        undo,
        step.subWorkflow());
  }
}
