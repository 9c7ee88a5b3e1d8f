package dev.slipway.applications.store;

import dev.slipway.applications.plan.ApplicationRefs;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.progress.Move;
import dev.slipway.applications.progress.Progress;
import dev.slipway.applications.progress.RunContext;
import dev.slipway.applications.progress.Situation;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.postgres.environments.EnvironmentRow;
import java.sql.SQLException;
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
    Progress progress = context.progress(environment.name());
    Map<String, Object> params =
        resource.appliedParams() == null ? Map.of() : resource.appliedParams();
    Map<String, Object> parameters =
        progress.parameters(situation, resource, Operation.READ, definition, params);
    Move.Start start =
        new Move.Start(resource, Operation.READ, definition, params, "read", parameters);
    UUID id = context.ids().get();
    return new NewRun(
        id,
        NewRun.Kind.RESOURCE,
        definition,
        Operation.READ.text(),
        new RunSubject(new ApplicationRefs(owner.name(), environment.name()), owner.id())
            .of(
                resource,
                null,
                caller == ResourceObserver.OBSERVER ? NewRun.Key.OBSERVATION : "refresh"),
        environment.name(),
        resource.team(),
        null,
        new NewRun.Inputs(
            parameters,
            RunContext.of(situation, start, id, caller.user(), context.config().get()),
            resource.outputs()),
        List.of(),
        caller.user(),
        context.now(),
        context.config().get().workflowPolicies().maxWorkflowDuration());
  }
}
