package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.DeploymentStatus;
import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.Plan;
import dev.slipway.applications.plan.Planner;
import dev.slipway.applications.store.Applications.Accepted;
import dev.slipway.applications.store.Preparation.Prepared;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Refusal;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.resolve.Breach;
import dev.slipway.postgres.environments.EnvironmentAccess;
import dev.slipway.postgres.environments.EnvironmentRow;
import dev.slipway.postgres.events.EventLog;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Accepts requests: one transaction each, which also starts whatever can be started at once. */
record Deploying(ApplicationContext context, RunStore runs) {
  private static final Duration APPROVAL_TIME = Duration.ofHours(72);

  /** What is asked for, in its transaction. */
  private record Request(
      Handle handle, Caller caller, Prepared prepared, List<Diagnostic> warnings) {}

  /**
   * What became of a request.
   *
   * @param status of the application, or {@code waiting} for what comes before the deployment
   * @param effect whether anything changes
   */
  private record Result(
      int revision,
      String status,
      Plan.Effect effect,
      @Nullable UUID deployment,
      @Nullable UUID approval,
      long version) {

    static Result waiting(
        DeploymentRecords.NewDeployment deployment,
        @Nullable UUID approval,
        ApplicationRow application) {
      return new Result(
          deployment.revision(),
          DeploymentStatus.WAITING.text(),
          Plan.Effect.CHANGES,
          deployment.id(),
          approval,
          application.version());
    }
  }

  /** A reply and the runs that have to be stopped for it. */
  private record Done(Accepted reply, List<UUID> cancels) {}

  Prepared look(Handle handle, Caller caller, DeployCommand command) throws SQLException {
    return new Preparation(context, handle, caller, KnownResources.Lock.NONE).deploy(command);
  }

  Accepted dryRun(Caller caller, DeployCommand command) {
    return context.read(
        h -> {
          Prepared prepared = look(h, caller, command);
          Preparation.refuse(prepared, command.planHash(), command.ifVersion());
          ApplicationRow row = prepared.existing().orElse(null);
          return reply(
              new Request(h, caller, prepared, command.warnings()),
              new Result(
                  row == null ? 1 : row.revision() + (changes(prepared) ? 1 : 0),
                  (row == null || !prepared.living() ? ResourceState.REQUESTED : row.state())
                      .text(),
                  prepared.planned().plan().effect(),
                  null,
                  null,
                  row == null ? 0 : row.version()));
        });
  }

  Accepted deploy(Caller caller, DeployCommand command) {
    return deploy(caller, _ -> command);
  }

  /** The command is built inside the transaction, for one that depends on the stored state. */
  Accepted deploy(Caller caller, Function<Handle, DeployCommand> commands) {
    return finish(
        context.transaction(
            h -> {
              DeployCommand command = commands.apply(h);
              Prepared prepared =
                  new Preparation(context, h, caller, KnownResources.Lock.HELD).deploy(command);
              Preparation.refuse(prepared, command.planHash(), command.ifVersion());
              return accept(
                  new Request(h, caller, prepared, command.warnings()),
                  command.kind(),
                  command.choices());
            }));
  }

  Accepted teardown(Caller caller, Applications.Ref ref, Applications.Teardown teardown) {
    boolean orphan = teardown.leftovers() == Applications.Teardown.Leftovers.ORPHAN;
    DeployCommand.Choices choices =
        new DeployCommand.Choices(Set.of(), orphan ? Set.of(Planner.Question.ALL) : Set.of());
    return finish(
        context.transaction(
            h -> {
              ApplicationRow row = Visibility.changeable(h, caller, ref);
              EnvironmentRow environment = EnvironmentRow.find(h, row.environment()).orElseThrow();
              EnvironmentAccess.enter(caller, environment);
              Prepared prepared =
                  new Preparation(context, h, caller, KnownResources.Lock.HELD)
                      .teardown(row, environment, choices);
              Preparation.current(prepared, teardown.ifVersion());
              confirmed(row, prepared, teardown);
              Preparation.refuse(prepared, Optional.empty(), teardown.ifVersion());
              return accept(
                  new Request(h, caller, prepared, List.of()),
                  DeployCommand.Kind.TEARDOWN,
                  choices);
            }));
  }

  private static void confirmed(
      ApplicationRow row, Prepared prepared, Applications.Teardown teardown) {
    List<String> resources =
        prepared.planned().removals().stream().map(r -> r.known().name()).toList();
    if (!resources.isEmpty() && !teardown.confirm().equals(Optional.of(row.name()))) {
      throw new RefusedException(
          new Refusal.Conflict(
              "confirm-required",
              "'" + row.name() + "' has " + resources.size() + " resources that would be deleted",
              "Confirm with its name: confirm=" + row.name(),
              resources));
    }
  }

  private Accepted finish(Done done) {
    Advance.stop(runs, context, done.cancels());
    return done.reply();
  }

  private static boolean changes(Prepared prepared) {
    return prepared.planned().plan().effect() == Plan.Effect.CHANGES;
  }

  private Done accept(Request request, DeployCommand.Kind kind, DeployCommand.Choices choices)
      throws SQLException {
    Handle handle = request.handle();
    Prepared prepared = request.prepared();
    Records records = new Records(context, handle, request.caller());
    DeploymentRecords deployments = new DeploymentRecords(context, handle, request.caller());
    Optional<DeploymentRecords.Waiting> waiting = deployments.waiting(prepared.id());
    String hash = prepared.planned().plan().hash();
    if (waiting.isPresent() && waiting.get().planHash().equals(hash)) {
      return new Done(unchanged(request, waiting.get()), List.of());
    }
    boolean already =
        kind == DeployCommand.Kind.TEARDOWN
            && prepared.inForce().isPresent()
            && prepared.inForce().get().kind() == DeployCommand.Kind.TEARDOWN
            && !stuck(prepared);
    if (kind == DeployCommand.Kind.TEARDOWN ? already : !changes(prepared)) {
      return new Done(unchanged(request, null), List.of());
    }
    PlatformChecks checks = new PlatformChecks(context, handle);
    if (checks.wanted(kind)) {
      checks.missing().ifPresent(Deploying::refuse);
    }
    List<UUID> obsolete = checks.open(prepared.id());
    if (prepared.existence() == Preparation.Existence.MADE) {
      records.environment(prepared.environment());
    }
    ApplicationRow application = records.application(prepared);
    int revision =
        kind == DeployCommand.Kind.TEARDOWN
            ? application.revision()
            : records.revision(application, prepared);
    records.plan(prepared.planned().plan(), prepared.team());
    List<Event> events = new ArrayList<>(deployments.supersede(application));
    DeploymentRecords.NewDeployment deployment =
        new DeploymentRecords.NewDeployment(context.ids().get(), revision, kind, hash, choices);
    if (new Guard(context, handle).covers(prepared.environment())) {
      UUID approval = context.ids().get();
      events.addAll(deployments.waitFor(application, deployment, approval, APPROVAL_TIME));
      EventLog.append(handle, events);
      return new Done(reply(request, Result.waiting(deployment, approval, application)), obsolete);
    }
    if (checks.wanted(kind)) {
      deployments.deployment(application, deployment, null);
      events.addAll(begunChecks(request, application, deployment));
      EventLog.append(handle, events);
      return new Done(reply(request, Result.waiting(deployment, null, application)), obsolete);
    }
    deployments.deployment(application, deployment, context.now());
    Done applied = apply(request, application, deployment, events);
    return new Done(
        applied.reply(), Stream.concat(obsolete.stream(), applied.cancels().stream()).toList());
  }

  private static void refuse(Breach breach) {
    throw RefusedException.conflict(Breach.CODE, breach.message(), breach.hint());
  }

  /** Nothing happens before the platform's own workflows have passed it. */
  private List<Event> begunChecks(
      Request request, ApplicationRow application, DeploymentRecords.NewDeployment deployment) {
    PlatformChecks.Outcome outcome =
        new PlatformChecks(context, request.handle())
            .advance(
                new PlatformChecks.Deployment(
                    deployment.id(),
                    deployment.revision(),
                    deployment.kind(),
                    request.caller().user(),
                    application),
                request.prepared().environment());
    return switch (outcome) {
      case PlatformChecks.Outcome.Running(List<Event> begun) -> begun;
      case PlatformChecks.Outcome.Failed(String code, String message) ->
          throw RefusedException.conflict(code, message, null);
      case PlatformChecks.Outcome.Passed() -> List.of();
    };
  }

  private static boolean stuck(Prepared prepared) {
    return prepared.existing().isPresent()
        && prepared.existing().get().state() == ResourceState.FAILED;
  }

  /** Makes the plan the desired state and starts what can be started. */
  private Done apply(
      Request request,
      ApplicationRow application,
      DeploymentRecords.NewDeployment deployment,
      List<Event> events)
      throws SQLException {
    Advance.Result result =
        carryOut(request.handle(), request.prepared(), application, deployment, events);
    EventLog.append(request.handle(), events);
    return new Done(
        reply(
            request,
            new Result(
                deployment.revision(),
                result.decision().state().text(),
                Plan.Effect.CHANGES,
                deployment.id(),
                null,
                application.version() + 1)),
        result.cancels());
  }

  Advance.Result carryOut(
      Handle handle,
      Prepared prepared,
      ApplicationRow application,
      DeploymentRecords.NewDeployment deployment,
      List<Event> events)
      throws SQLException {
    boolean teardown = deployment.kind() == DeployCommand.Kind.TEARDOWN;
    if (teardown) {
      Records.retryDeletions(handle, application.id());
    }
    events.addAll(
        new SpecWriter(context, handle, application).write(prepared.wanted(), prepared.planned()));
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("deploymentId", deployment.id().toString());
    data.put("revision", (long) deployment.revision());
    data.put("kind", deployment.kind().text());
    data.put("planHash", deployment.planHash());
    if (!teardown) {
      String type =
          prepared.living() && application.revision() > 0 ? "spec.updated" : "spec.created";
      events.add(tell("spec.validated", application, data));
      events.add(tell(type, application, data));
    }
    events.add(tell("deployment.started", application, data));
    ApplicationRow live =
        Records.inForce(handle, application, deployment.revision(), context.now());
    Advance.Result result = new Advance(context).request(handle, live, prepared.environment());
    events.addAll(result.events());
    return result;
  }

  private Event tell(String type, ApplicationRow application, Map<String, Object> data) {
    return context.event(
        type, application.name(), application.environment(), application.team(), data);
  }

  private Accepted unchanged(Request request, DeploymentRecords.@Nullable Waiting waiting) {
    Prepared prepared = request.prepared();
    ApplicationRow row = prepared.existing().orElseThrow();
    UUID inForce = prepared.inForce().map(Situations.InForce::id).orElse(null);
    return reply(
        request,
        waiting == null
            ? new Result(
                row.revision(), row.state().text(), Plan.Effect.NONE, inForce, null, row.version())
            : new Result(
                waiting.revision(),
                DeploymentStatus.WAITING.text(),
                Plan.Effect.NONE,
                waiting.id(),
                waiting.approval(),
                row.version()));
  }

  private Accepted reply(Request request, Result result) {
    Prepared prepared = request.prepared();
    Plan plan = prepared.planned().plan();
    Map<String, ResourceStates.StoredState> states =
        ResourceStates.byIdentity(
            request.handle(), prepared.environment().name(), prepared.team(), plan);
    List<Accepted.Item> items = new ArrayList<>();
    for (Plan.Item item : plan.items()) {
      ResourceStates.StoredState stored = states.get(item.identity());
      items.add(
          new Accepted.Item(
              item.name(),
              item.type(),
              stored == null ? null : stored.id(),
              (stored == null ? ResourceState.REQUESTED : stored.state()).text(),
              item.change().text()));
    }
    List<Diagnostic> all = new ArrayList<>(request.warnings());
    all.addAll(plan.warnings());
    return new Accepted(
        prepared.living() ? Accepted.Outcome.UPDATED : Accepted.Outcome.CREATED,
        plan.application(),
        plan.environment(),
        result.revision(),
        result.status(),
        result.effect() == Plan.Effect.CHANGES,
        result.deployment(),
        plan.hash(),
        result.approval(),
        result.version(),
        items,
        all);
  }
}
