package dev.slipway.postgres.applications;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.plan.KnownResource;
import dev.slipway.engine.progress.Caller;
import dev.slipway.engine.progress.Move;
import dev.slipway.engine.progress.Progress;
import dev.slipway.engine.progress.RunContext;
import dev.slipway.engine.progress.Situation;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Runs that look at a resource and change nothing; they are not in charge of it. */
final class ReadRuns {
  private final Ground ground;

  ReadRuns(Ground ground) {
    this.ground = ground;
  }

  NewRun of(
      Handle handle,
      Caller caller,
      KnownResource resource,
      ApplicationRow owner,
      Resolution.Definition definition)
      throws SQLException {
    EnvironmentRow environment = EnvironmentRow.find(handle, owner.environment()).orElseThrow();
    Situation situation = Situations.read(handle, owner, environment);
    Progress progress = ground.progress(environment.name());
    Map<String, Object> params =
        resource.appliedParams() == null ? Map.of() : resource.appliedParams();
    Map<String, Object> parameters =
        progress.parameters(situation, resource, Operation.READ, definition, params);
    Move.Start start =
        new Move.Start(resource, Operation.READ, definition, params, "read", parameters);
    UUID id = ground.ids().get();
    return new NewRun(
        id,
        NewRun.Kind.RESOURCE,
        definition,
        Operation.READ.text(),
        new NewRun.Subject(
            owner.id(), owner.name(), resource.id(), resource.name(), resource.type(), null),
        environment.name(),
        resource.team(),
        null,
        new NewRun.Inputs(
            parameters,
            RunContext.of(situation, start, id, caller.user(), ground.config().get()),
            resource.outputs()),
        List.of(),
        caller.user(),
        ground.now(),
        ground.config().get().workflowPolicies().maxWorkflowDuration());
  }
}
