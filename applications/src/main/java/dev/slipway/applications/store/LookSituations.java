package dev.slipway.applications.store;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.progress.Move;
import dev.slipway.applications.progress.Situation;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.postgres.environments.EnvironmentRow;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/** Where resources that are looked at stand: what is around them is read once for all of them. */
final class LookSituations {
  private final ApplicationContext context;
  private final MetadataCache metadata;
  private final Handle tx;
  private final Map<UUID, ApplicationRow> owners;
  private final Map<UUID, KnownResource> neighbours = new HashMap<>();
  private final Map<String, EnvironmentRow> environments = new HashMap<>();

  /** For these resources. */
  LookSituations(
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

  Situation of(KnownResource resource, ApplicationRow owner) {
    EnvironmentRow environment =
        environments.computeIfAbsent(
            owner.environment(), name -> EnvironmentRow.find(tx, name).orElseThrow());
    return Situations.around(owner, environment, with(resource)).with(metadata.of(tx, owner));
  }

  private List<KnownResource> with(KnownResource resource) {
    return Stream.concat(
            Stream.of(resource),
            resource.dependencies().stream()
                .map(KnownResource.Dependency::on)
                .distinct()
                .filter(neighbours::containsKey)
                .map(neighbours::get))
        .toList();
  }

  /** A look by this workflow. */
  Move.Look look(Situation situation, KnownResource resource, Resolution.Definition definition) {
    return new Move.Look(
        resource,
        definition,
        context
            .progress(situation.environment())
            .parameters(
                situation, resource, Operation.READ, definition, ReadRuns.applied(resource)));
  }
}
