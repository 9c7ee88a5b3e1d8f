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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Makes runs that look at resources and change nothing; they are not in charge of them. What they
 * are told about the surroundings is read once for all.
 */
final class ReadRuns {
  private final ApplicationContext context;
  private final MetadataCache metadata;
  private final Handle tx;
  private final Map<UUID, ApplicationRow> owners;
  private final Map<UUID, KnownResource> neighbours = new HashMap<>();
  private final Map<String, EnvironmentRow> environments = new HashMap<>();

  /** For these resources. */
  ReadRuns(
      ApplicationContext context,
      MetadataCache metadata,
      Handle tx,
      Collection<KnownResource> resources)
      throws SQLException {
    this.context = context;
    this.metadata = metadata;
    this.tx = tx;
    this.owners = ApplicationRow.seen(tx, resources.stream().map(KnownResource::owner).toList());
    KnownResources.load(
            tx.getConnection(),
            resources.stream()
                .flatMap(r -> r.dependencies().stream())
                .map(KnownResource.Dependency::on)
                .distinct()
                .toArray(UUID[]::new))
        .resources()
        .forEach(r -> neighbours.put(r.id(), r));
  }

  /** The application of a resource; empty if it is gone. */
  Optional<ApplicationRow> owner(KnownResource resource) {
    return Optional.ofNullable(owners.get(resource.owner()));
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

  NewRun of(By by, Read read) {
    ApplicationRow owner = read.owner();
    KnownResource resource = read.resource();
    EnvironmentRow environment =
        environments.computeIfAbsent(
            owner.environment(), name -> EnvironmentRow.find(tx, name).orElseThrow());
    Situation situation =
        Situations.around(owner, environment, surroundings(resource))
            .with(metadata.of(tx, owner));
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

  private List<KnownResource> surroundings(KnownResource resource) {
    return Stream.concat(
            Stream.of(resource),
            resource.dependencies().stream()
                .map(KnownResource.Dependency::on)
                .distinct()
                .filter(neighbours::containsKey)
                .map(neighbours::get))
        .toList();
  }
}
