package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.progress.Situation;
import dev.slipway.applications.progress.Situation.Deployment;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.environments.EnvironmentRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Reads where an application stands. */
final class Situations {
  private Situations() {}

  /** The deployment that is in force. */
  record InForce(UUID id, DeployCommand.Kind kind, String status, int revision, String createdBy) {}

  private record Template(
      Map<String, @Nullable Object> workload, Map<String, @Nullable Object> metadata) {}

  static Optional<InForce> inForce(Handle handle, UUID application) {
    return handle
        .createQuery(
            """
            SELECT id, kind, status, revision, created_by FROM deployments
             WHERE application_id = ? AND applied_at IS NOT NULL AND status <> 'superseded'
             ORDER BY applied_at DESC, id DESC LIMIT 1
            """)
        .bind(0, application)
        .map(
            (rs, _) ->
                new InForce(
                    rs.getObject("id", UUID.class),
                    State.parse(DeployCommand.Kind.class, rs.getString("kind")),
                    rs.getString("status"),
                    rs.getInt("revision"),
                    rs.getString("created_by")))
        .findOne();
  }

  static Situation read(
      ApplicationContext context,
      Handle handle,
      ApplicationRow application,
      EnvironmentRow environment)
      throws SQLException {
    KnownResources.Found found =
        KnownResources.held(context, handle, application.id(), environment.name(), List.of());
    return of(handle, application, environment, found).at(context.now());
  }

  /** Some resources, for a run that decides nothing; without the documents of the application. */
  static Situation around(
      ApplicationRow application, EnvironmentRow environment, List<KnownResource> resources) {
    return of(
        application,
        environment,
        Optional.empty(),
        new Template(Map.of(), Map.of()),
        new KnownResources.Found(List.of(), List.of(), Set.of()),
        living(resources));
  }

  /**
   * Some resources, for a decision that does not need the documents; those of them that have just
   * been deleted count too.
   */
  static Situation near(
      ApplicationRow application,
      EnvironmentRow environment,
      Optional<InForce> inForce,
      KnownResources.Found found,
      Set<UUID> changed) {
    List<KnownResource> resources =
        found.resources().stream()
            .filter(
                r -> r.state() != ResourceState.DELETED || r.wanted() || changed.contains(r.id()))
            .toList();
    return of(
        application, environment, inForce, new Template(Map.of(), Map.of()), found, resources);
  }

  private static Situation of(
      Handle handle,
      ApplicationRow application,
      EnvironmentRow environment,
      KnownResources.Found found) {
    return of(
        application,
        environment,
        inForce(handle, application.id()),
        template(handle, application),
        found,
        living(found.resources()));
  }

  /** At no time: who decides something adds it. */
  private static Situation of(
      ApplicationRow application,
      EnvironmentRow environment,
      Optional<InForce> inForce,
      Template template,
      KnownResources.Found found,
      List<KnownResource> resources) {
    boolean teardown = inForce.isPresent() && inForce.get().kind() == DeployCommand.Kind.TEARDOWN;
    return new Situation(
        application.id(),
        application.name(),
        environment.name(),
        environment.type(),
        environment.variables(),
        environment.namespaceTemplate(),
        application.team(),
        teardown ? Situation.Phase.TEARDOWN : Situation.Phase.LIVE,
        found.names(application.id()),
        template.metadata(),
        teardown ? Map.of() : template.workload(),
        application.workloadHash(),
        inForce.map(Situations::deployment).orElse(null),
        resources,
        Instant.EPOCH);
  }

  /** What died is only of interest when it is asked for again. */
  private static List<KnownResource> living(List<KnownResource> resources) {
    return resources.stream()
        .filter(r -> r.state() != ResourceState.DELETED || r.wanted())
        .toList();
  }

  private static Deployment deployment(InForce inForce) {
    return new Deployment(
        inForce.id(), State.parse(Deployment.Status.class, inForce.status()), inForce.createdBy());
  }

  static Map<String, @Nullable Object> metadata(Handle handle, ApplicationRow application) {
    return template(handle, application).metadata();
  }

  private static Template template(Handle handle, ApplicationRow application) {
    return handle
        .createQuery(
            """
            SELECT workload, spec -> 'metadata' AS metadata FROM revisions
             WHERE application_id = ? AND revision = ?
            """)
        .bind(0, application.id())
        .bind(1, application.revision())
        .map((rs, _) -> template(rs, application))
        .findOne()
        .orElse(new Template(Map.of(), Map.of()));
  }

  private static Template template(ResultSet rs, ApplicationRow application) throws SQLException {
    EncryptionContext row = SealedRows.revision(application.id(), application.revision());
    return new Template(Columns.tree(rs, "workload", row), Columns.tree(rs, "metadata", row));
  }
}
