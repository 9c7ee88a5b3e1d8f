package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.progress.Move;
import dev.slipway.applications.progress.RunContext;
import dev.slipway.applications.progress.Situation;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.postgres.environments.EnvironmentRow;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Runs that look at a resource and change nothing; they are not in charge of it. */
final class ReadRuns {
  private final ApplicationContext context;

  ReadRuns(ApplicationContext context) {
    this.context = context;
  }

  NewRun of(
      Handle handle,
      Caller caller,
      KnownResource resource,
      ApplicationRow owner,
      Resolution.Definition definition)
      throws SQLException {
    EnvironmentRow environment = EnvironmentRow.find(handle, owner.environment()).orElseThrow();
    Situation situation = Situations.around(handle, owner, environment, resource);
    Map<String, Object> parameters =
        context
            .progress(environment.name())
            .parameters(situation, resource, Operation.READ, definition, applied(resource));
    return run(situation, new Move.Look(resource, definition, parameters), caller);
  }

  /** One that a gate waits for. */
  NewRun of(Situation situation, Move.Look look) {
    return run(situation, look, ResourceObserver.OBSERVER);
  }

  private static Map<String, Object> applied(KnownResource resource) {
    return resource.appliedParams() == null ? Map.of() : resource.appliedParams();
  }

  private NewRun run(Situation situation, Move.Look look, Caller caller) {
    KnownResource resource = look.resource();
    Move.Start start =
        new Move.Start(
            resource,
            Operation.READ,
            look.definition(),
            applied(resource),
            "read",
            look.parameters());
    UUID id = context.ids().get();
    return new NewRun(
        id,
        NewRun.Kind.RESOURCE,
        look.definition(),
        Operation.READ.text(),
        new RunSubject(
                new ApplicationRefs(situation.name(), situation.environment()),
                situation.application())
            .of(
                resource,
                null,
                caller == ResourceObserver.OBSERVER ? NewRun.Key.OBSERVATION : "refresh"),
        situation.environment(),
        resource.team(),
        null,
        new NewRun.Inputs(
            look.parameters(),
            RunContext.of(situation, start, id, caller.user(), context.config().get()),
            resource.outputs()),
        List.of(),
        caller.user(),
        begins(resource),
        context.config().get().workflowPolicies().maxWorkflowDuration());
  }

  /** Never before the end of the run in charge, which another replica may have timed. */
  private Instant begins(KnownResource resource) {
    Instant now = context.now();
    Instant ended = resource.health().ended();
    return ended != null && ended.isAfter(now) ? ended : now;
  }
}
