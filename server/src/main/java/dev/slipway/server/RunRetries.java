package dev.slipway.server;

import dev.slipway.engine.access.Caller;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.StepRecord;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.resolve.GoldenPath;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.postgres.environments.EnvironmentStore;
import dev.slipway.postgres.overview.FinishedRun;
import dev.slipway.postgres.overview.RunList;
import dev.slipway.postgres.overview.RunView;
import dev.slipway.postgres.runs.PlannedRuns;
import dev.slipway.postgres.runs.RollbackRetries;
import dev.slipway.server.api.RunRetry;
import dev.slipway.server.golden.GoldenPaths;
import dev.slipway.web.Fields;
import dev.slipway.web.Problem;
import dev.slipway.web.branch.SubjectRetry;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Retries runs. A run of a resource follows from the resource's state, so the resource is retried;
 * any other run is repeated with the same inputs and definition, without its finished steps.
 */
record RunRetries(
    RunList runs,
    RunStore store,
    RollbackRetries rollbacks,
    PlannedRuns planned,
    Map<String, SubjectRetry> subjects,
    EnvironmentStore environments,
    Function<String, Optional<Workflow>> workflows,
    GoldenPaths goldenPaths,
    Supplier<Registry> registry,
    Supplier<UUID> ids,
    InstantSource clock)
    implements RunRetry {
  private static final Set<RunState> RETRIED =
      Set.of(RunState.FAILED, RunState.PARTIAL, RunState.CANCELLED);

  @Override
  public UUID retry(Caller caller, RunView run, RetryRequest request) {
    if (run.kind().belongsToAnother()) {
      throw Problem.conflict(
              "Run "
                  + run.id()
                  + (run.kind() == NewRun.Kind.CHILD ? " is a part of run " : " undoes run ")
                  + run.parentRunId()
                  + ": try that one again. What succeeded in it is not repeated.")
          .exception();
    }
    if (!RETRIED.contains(run.status())) {
      throw Problem.conflict(
              "Run "
                  + run.id()
                  + " is "
                  + run.status().text()
                  + ": only what failed can be tried again.")
          .exception();
    }
    if (run.rollback() == RunWrite.Rollback.RUNNING) {
      throw Problem.conflict("Run " + run.id() + " is being undone: wait for the end of that.")
          .exception();
    }
    environments.enter(caller, run.environment());
    FinishedRun before = runs.finished(run.id()).orElseThrow();
    Resolution.Definition definition = definition(run, request, before.succeeded());
    List<StepRecord> carried = carried(definition.workflow(), before.succeeded(), request.from());
    UUID node = run.subject().nodeId();
    return node == null
        ? rollbacks.beside(
            run.id(),
            () -> {
              refuseUnapproved(run, request.definition());
              return fresh(caller, run, before, definition, carried);
            })
        : ofObject(caller, node, run, again(run, request, carried));
  }

  @Override
  public UUID rollback(Caller caller, RunView run) {
    environments.enter(caller, run.environment());
    refuseUnapproved(run, SubjectRetry.By.STORED);
    Resolution.Definition definition = stored(run);
    return rollbacks.retry(
        run.id(),
        last -> {
          UUID id = ids.get();
          store.insert(List.of(undoing(caller, run, definition, last, id)));
          return id;
        });
  }

  /** In a protected environment a retry may only continue what was approved. */
  private void refuseUnapproved(RunView run, SubjectRetry.By definition) {
    if (goldenPaths.guarded(run.environment())
        && !(definition == SubjectRetry.By.STORED && planned.approved(run.id()))) {
      throw Problem.conflict(
              "Run "
                  + run.id()
                  + ": the environment '"
                  + run.environment()
                  + "' takes changes only under an approved plan, and this retry follows none."
                  + " Start the golden path again: that asks for an approval.")
          .exception();
    }
  }

  private NewRun undoing(
      Caller caller,
      RunView run,
      Resolution.Definition definition,
      RollbackRetries.Last last,
      UUID id) {
    Map<String, Object> context = new LinkedHashMap<>(last.inputs().context());
    context.put("run", id.toString());
    return new NewRun(
        id,
        NewRun.Kind.ROLLBACK,
        definition,
        run.operation(),
        last.subject(),
        new NewRun.Tenancy(run.environment(), run.team()),
        NewRun.Origin.retry(run.id(), last.done()),
        new NewRun.Inputs(
            last.inputs().parameters(), context, last.inputs().outputs(), last.inputs().undoing()),
        new NewRun.Creation(caller.user(), clock.instant()),
        null);
  }

  private UUID fresh(
      Caller caller,
      RunView run,
      FinishedRun before,
      Resolution.Definition definition,
      List<StepRecord> carried) {
    UUID id = ids.get();
    store.insert(
        List.of(
            new NewRun(
                id,
                before.kind(),
                definition,
                run.operation(),
                before.subject(),
                new NewRun.Tenancy(run.environment(), run.team()),
                NewRun.Origin.retry(run.id(), carried),
                before.inputs(),
                new NewRun.Creation(caller.user(), clock.instant()),
                before.timeLimit())));
    return id;
  }

  private static SubjectRetry.Again again(
      RunView run, RetryRequest request, List<StepRecord> carried) {
    return new SubjectRetry.Again(
        run.id(),
        carried.stream().map(StepRecord::name).collect(Collectors.toSet()),
        request.definition());
  }

  /** The branch that the run's object belongs to makes the new run. */
  private UUID ofObject(Caller caller, UUID node, RunView run, SubjectRetry.Again again) {
    NodeRef root = run.subject().rootRef();
    SubjectRetry retry = root == null ? null : subjects.get(root.prefix());
    if (retry == null) {
      throw Problem.conflict(
              "Run "
                  + run.id()
                  + " belongs to '"
                  + run.subject().nodeName()
                  + "' of "
                  + root
                  + ", and this server has no such objects. Ask a replica that does.")
          .exception();
    }
    return retry
        .retry(caller, node, again)
        .orElseThrow(
            () ->
                Problem.conflict(
                        "Resource '"
                            + run.subject().nodeName()
                            + "' will be tried again when what it depends"
                            + " on is active.")
                    .exception());
  }

  private Resolution.Definition definition(
      RunView run, RetryRequest request, List<StepRecord> succeeded) {
    Resolution.Definition stored = stored(run);
    return switch (request.definition()) {
      case STORED -> stored;
      case LATEST -> latest(run, stored, succeeded);
    };
  }

  private Resolution.Definition stored(RunView run) {
    return store
        .definition(run.definition())
        .definition(workflows.apply(run.definition()).orElseThrow());
  }

  /** The latest definition may continue a run only if it has the same finished steps. */
  private Resolution.Definition latest(
      RunView run, Resolution.Definition stored, List<StepRecord> succeeded) {
    Resolution.Definition latest =
        offered(run)
            .orElseThrow(
                () ->
                    Problem.conflict(
                            "Workflow '"
                                + run.workflow()
                                + "' is no longer offered by "
                                + run.provider()
                                + ".")
                        .exception());
    for (StepRecord done : succeeded) {
      if (!latest.workflow().step(done.name()).equals(stored.workflow().step(done.name()))) {
        throw Problem.conflict(
                "Step '"
                    + done.name()
                    + "' has succeeded and is different in the newest"
                    + " definition. Retry with the stored one, or start a new run.")
            .exception();
      }
    }
    return latest;
  }

  private Optional<Resolution.Definition> offered(RunView run) {
    return Stream.concat(
            goldenPaths.all().stream().map(GoldenPath::definition),
            registry.get().providers().stream().flatMap(p -> p.definitions().values().stream()))
        .filter(d -> d.provider().equals(run.provider()))
        .filter(d -> d.workflow().name().equals(run.workflow()))
        .findFirst();
  }

  private static List<StepRecord> carried(
      Workflow workflow, List<StepRecord> succeeded, Optional<String> from) {
    if (from.isEmpty()) {
      return succeeded;
    }
    List<String> names = workflow.steps().stream().map(Step::name).toList();
    int first = names.indexOf(from.get());
    if (first < 0) {
      String hint = Nearest.hintOrList(from.get(), names);
      throw Fields.wrongField(
          "from", "there is no step '" + from.get() + "'." + (hint == null ? "" : " " + hint));
    }
    Set<String> earlier = new TreeSet<>(names.subList(0, first));
    return succeeded.stream().filter(step -> earlier.contains(step.name())).toList();
  }
}
