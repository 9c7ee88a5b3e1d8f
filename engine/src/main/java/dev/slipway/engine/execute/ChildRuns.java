package dev.slipway.engine.execute;

import dev.slipway.engine.execute.StepLaunch.Stop;
import dev.slipway.engine.execute.StepRecord.Parking;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.resolve.GoldenPathFile;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.Values;
import dev.slipway.engine.workflow.ParameterBinding;
import dev.slipway.engine.workflow.Scope;
import dev.slipway.engine.workflow.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The runs that steps of this run call. A step parks in the same write that makes its child run and
 * holds no thread; the write that ends the child wakes this run. The child's deadline counts: it is
 * at most the step's timeout and the time left to this run, whose own deadline is paused meanwhile.
 * So an approval inside the child uses up no time limit.
 */
record ChildRuns(LiveRun live, StepEnds ends) {
  private static final String RUN = "run";
  private static final String STOPPING = "stopping";
  private static final String HOW = "how";
  private static final String LIMIT = "limit";

  /** In the context of a child run: the providers of the workflows that call it. */
  private static final String CALLERS = "callers";

  /** Whether a step waits for a child run. */
  boolean awaitedBy(StepRecord record) {
    return record.state() == StepState.WAITING
        && record.parked() != null
        && record.parked().memory().containsKey(RUN);
  }

  /** The steps that do. */
  List<StepRecord> awaiting() {
    return live.pending.records().stream().filter(this::awaitedBy).toList();
  }

  /** Makes the child run of a step; the step waits for it from now on. */
  void begin(NextSteps.Task task, StepCalls.Prepared prepared) {
    Instant now = live.now();
    StepRecord record = live.pending.record(task.name());
    if (record.state() == StepState.PENDING) {
      record = record.started(prepared.inputHash(), now);
      live.pending.put(record);
      live.pending.tell(live.events.step("step.started", record, now));
    }
    Resolution.Definition definition;
    try {
      definition = live.context.definitions().called(live.definition, reference(task.step()));
    } catch (UnusableRunException e) {
      ends.failed(task, e.error());
      return;
    }
    ParameterBinding.Bound bound =
        bound(definition, Values.map(prepared.config().get("parameters")));
    if (!bound.problems().isEmpty()) {
      ends.failed(task, refused(definition, bound.problems()));
      return;
    }
    NewRun child = child(task, record, definition, bound, now);
    live.pending.make(child);
    ends.parked(task, parked(task, child));
  }

  private static String reference(Step step) {
    return step.subWorkflow().orElseThrow().reference();
  }

  private ParameterBinding.Bound bound(
      Resolution.Definition definition, Map<String, Object> params) {
    Scope own = live.values.view();
    Map<String, Object> injected = new LinkedHashMap<>(own.parameters());
    injected.keySet().retainAll(ParameterBinding.INJECTED);
    return ParameterBinding.bind(
        definition.workflow(),
        new ParameterBinding.Sources(
            params, injected, own.outputs(), ParameterBinding.Words.STRICT),
        Scope.forBinding(own.context(), own.outputs(), definition.configuration(), own.now()));
  }

  private static StepError refused(
      Resolution.Definition definition, List<ParameterBinding.Problem> problems) {
    return StepError.permanent(
        "invalid-input",
        "workflow '"
            + definition.workflow().name()
            + "' cannot take these parameters: "
            + problems.stream()
                .map(ParameterBinding.Problem::message)
                .collect(Collectors.joining("; ")),
        problems.getFirst().hint());
  }

  private NewRun child(
      NextSteps.Task task,
      StepRecord record,
      Resolution.Definition definition,
      ParameterBinding.Bound bound,
      Instant now) {
    ClaimedRun run = live.run;
    UUID id = ChildId.of(run.id() + "/" + task.name() + "/" + record.attempt(), now);
    Map<String, Object> context = new LinkedHashMap<>(run.inputs().context());
    context.put("run", id.toString());
    context.put("provider", definition.provider());
    context.put(CALLERS, callersOfChild());
    RootRun.handOn(run, context);
    return new NewRun(
        id,
        NewRun.Kind.CHILD,
        definition,
        run.operation(),
        run.subject(),
        new NewRun.Tenancy(run.environment(), run.team()),
        new NewRun.Origin(run.id(), List.of(), new NewRun.CalledBy(task.name(), record.attempt())),
        new NewRun.Inputs(
            live.values.seal(bound.values(), bound.secrets()), context, run.inputs().outputs()),
        new NewRun.Creation(run.createdBy(), now),
        limit(task, now));
  }

  /**
   * Golden paths of the administrator's file have no grants and belong to no provider: what they
   * call has its own.
   */
  private List<String> callersOfChild() {
    String own = live.definition.snapshot().provider();
    return Stream.concat(callers(live.run).stream(), Stream.of(own))
        .filter(provider -> !provider.equals(GoldenPathFile.PROVIDER))
        .distinct()
        .toList();
  }

  /** The providers of the workflows that call this run. */
  static List<String> callers(ClaimedRun run) {
    return run.inputs().context().get(CALLERS) instanceof List<?> names
        ? names.stream().map(String::valueOf).toList()
        : List.of();
  }

  /** How long the child may take; null without a limit. */
  private @Nullable Duration limit(NextSteps.Task task, Instant now) {
    Duration ofStep = task.step().timeout();
    return ofRun(now)
        .filter(left -> left.compareTo(ofStep) < 0)
        .orElse(ofStep.equals(Step.NO_TIMEOUT) ? null : ofStep);
  }

  private Optional<Duration> ofRun(Instant now) {
    Instant deadline = live.deadline();
    boolean counts = deadline != null && live.progress().mode() == NextSteps.Mode.GOING;
    return counts
        ? Optional.of(Duration.between(now, deadline)).filter(Duration::isPositive)
        : Optional.empty();
  }

  private StepExecutor.Result.Parked parked(NextSteps.Task task, NewRun child) {
    boolean step = task.step().timeout().equals(child.timeLimit());
    Map<String, Object> memory = new LinkedHashMap<>();
    memory.put(RUN, child.id().toString());
    memory.put(LIMIT, step ? "step" : "run");
    return new StepExecutor.Result.Parked(
        null, "run " + child.id(), memory, StepExecutor.Limits.NONE);
  }

  /** Takes in what has ended. */
  void look(Map<UUID, LinkedRun> made) {
    for (StepRecord record : awaiting()) {
      NextSteps.Task task = live.task(record.name());
      LinkedRun child = made.get(run(record));
      if (child == null) {
        ends.failed(
            task,
            StepError.permanent("internal", "its " + waitingFor(record) + " does not exist", null));
      } else if (child.state().finished()) {
        ended(task, record, child);
      }
    }
  }

  private static String waitingFor(StepRecord record) {
    return record.parked() == null ? "run" : record.parked().waitingFor();
  }

  private static UUID run(StepRecord record) {
    return UUID.fromString(String.valueOf(memory(record).get(RUN)));
  }

  private static Map<String, Object> memory(StepRecord record) {
    return record.parked() == null ? Map.of() : record.parked().memory();
  }

  private static @Nullable Stop stopping(StepRecord record) {
    return memory(record).get(STOPPING) instanceof String why ? Stop.valueOf(why) : null;
  }

  private void ended(NextSteps.Task task, StepRecord record, LinkedRun child) {
    Stop stopping = stopping(record);
    switch (child.state()) {
      case SUCCEEDED -> ends.succeeded(task, child.outputs());
      case FAILED, PARTIAL, CANCELLED, PENDING, RUNNING, WAITING -> {
        if (stopping != null) {
          ends.stopped(task, stopping);
        } else {
          failed(task, record, child);
        }
      }
    }
  }

  private void failed(NextSteps.Task task, StepRecord record, LinkedRun child) {
    StepError error = child.error();
    if (error != null && error.code().equals(NextSteps.RUN_TIMEOUT)) {
      if ("step".equals(memory(record).get(LIMIT))) {
        ends.attemptFailed(task, StepEnds.timeout(task, ""));
      } else {
        ends.failed(task, StepEnds.runTimeout());
      }
      return;
    }
    String about = "run " + child.id() + " of '" + child.provider() + "/" + child.workflow() + "' ";
    ends.attemptFailed(
        task,
        new StepError(
            error == null ? "step" : error.code(),
            about + child.state().text() + (error == null ? "" : ": " + error.message()),
            error == null ? StepError.Kind.PERMANENT : error.kind(),
            error == null || error.hint() == null
                ? "Look at it: slipway run show " + child.id()
                : error.hint()));
  }

  /** Child runs that still execute although this run has failed. */
  List<RunWrite.Halt> orphans() {
    return awaiting().stream()
        .map(record -> new RunWrite.Halt(run(record), RunStore.Cancel.REQUESTED))
        .toList();
  }

  /** Asks the child to stop, for that reason; the step ends when the child has. */
  void stop(StepRecord record, Stop why) {
    boolean force = live.cancel.filter(RunStore.Cancel.FORCED::equals).isPresent();
    RunStore.Cancel how = force ? RunStore.Cancel.FORCED : RunStore.Cancel.REQUESTED;
    Map<String, Object> memory = new LinkedHashMap<>(memory(record));
    Object before = memory.put(HOW, how.text());
    memory.putIfAbsent(STOPPING, why.name());
    if (how.text().equals(before) || RunStore.Cancel.FORCED.text().equals(before)) {
      return;
    }
    live.pending.halt(run(record), how);
    live.pending.put(
        record.parked(null, new Parking(waitingFor(record), memory, StepExecutor.Limits.NONE)));
  }
}
