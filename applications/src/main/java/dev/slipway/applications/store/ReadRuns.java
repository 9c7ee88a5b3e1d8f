package dev.slipway.applications.store;

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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Runs that look at a resource and change nothing; they are not in charge of it. */
final class ReadRuns {
  private final ApplicationContext context;
  private final MetadataCache metadata;

  ReadRuns(ApplicationContext context, MetadataCache metadata) {
    this.context = context;
    this.metadata = metadata;
  }

  /**
   * Who looks.
   *
   * @param subject that hears of the end
   */
  record By(Caller caller, NewRun.Key subject, Duration limit) {}

  /** At what. */
  record Read(KnownResource resource, ApplicationRow owner, Resolution.Definition definition) {
    private Move.Start start(Map<String, Object> parameters) {
      Map<String, Object> params =
          resource.appliedParams() == null ? Map.of() : resource.appliedParams();
      return new Move.Start(resource, Operation.READ, definition, params, "read", parameters);
    }
  }

  NewRun of(Handle handle, By by, Read read) throws SQLException {
    ApplicationRow owner = read.owner();
    KnownResource resource = read.resource();
    EnvironmentRow environment = EnvironmentRow.find(handle, owner.environment()).orElseThrow();
    Situation situation =
        Situations.around(handle, owner, environment, resource)
            .with(metadata.of(handle, owner));
    Move.Start start = read.start(Map.of());
    Map<String, Object> parameters =
        context
            .progress(environment.name())
            .parameters(situation, resource, Operation.READ, read.definition(), start.params());
    UUID id = context.ids().get();
    return new NewRun(
        id,
        NewRun.Kind.RESOURCE,
        read.definition(),
        Operation.READ.text(),
        new NewRun.Subject(
            owner.id(),
            owner.name(),
            resource.id(),
            resource.name(),
            resource.type(),
            null,
            by.subject()),
        environment.name(),
        resource.team(),
        null,
        new NewRun.Inputs(
            parameters,
            RunContext.of(
                situation, read.start(parameters), id, by.caller().user(), context.config().get()),
            resource.outputs()),
        List.of(),
        by.caller().user(),
        context.now(),
        by.limit());
  }
}
