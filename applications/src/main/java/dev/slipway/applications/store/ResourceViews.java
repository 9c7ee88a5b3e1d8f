package dev.slipway.applications.store;

import dev.slipway.applications.explain.GateText;
import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.GateRecord;
import dev.slipway.applications.plan.GateRecord.Stage;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.ResourceGate;
import dev.slipway.applications.plan.ResourceHealth;
import dev.slipway.applications.store.Resources.View;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.Aggregate;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Sample;
import dev.slipway.engine.health.Verdict;
import dev.slipway.engine.value.Values;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Resources as they are shown. */
record ResourceViews(InstantSource clock) {
  /** Those an application uses or still has to get rid of, by name. */
  List<View> ofApplication(Handle handle, UUID application) throws SQLException {
    UUID[] ids =
        handle
            .createQuery(
                """
                SELECT id FROM resources
                 WHERE owner_id = :app AND state <> 'deleted' AND NOT detached
                UNION
                SELECT resource_id FROM resource_users WHERE application_id = :app
                """)
            .bind("app", application)
            .mapTo(UUID.class)
            .list()
            .toArray(UUID[]::new);
    return of(handle, ids).stream()
        .sorted(Comparator.comparing(View::name).thenComparing(View::identity))
        .toList();
  }

  /** These, in the order given. */
  List<View> of(Handle handle, UUID[] ids) throws SQLException {
    Connection connection = handle.getConnection();
    if (ids.length == 0) {
      return List.of();
    }
    Set<UUID> all = new HashSet<>(List.of(ids));
    KnownResources.Found found = KnownResources.load(connection, ids);
    found
        .resources()
        .forEach(
            r ->
                r.dependencies().stream()
                    .filter(KnownResource.Dependency::wanted)
                    .forEach(d -> all.add(d.on())));
    Map<UUID, KnownResource> known = new HashMap<>();
    KnownResources.observed(connection, all.toArray(UUID[]::new))
        .resources()
        .forEach(r -> known.put(r.id(), r));
    Map<UUID, ResourceFrame> frames = ResourceFrame.of(connection, ids);
    Map<UUID, String> applications = names(connection, found);
    List<View> views = new ArrayList<>();
    for (UUID id : ids) {
      KnownResource resource = known.get(id);
      ResourceFrame frame = frames.get(id);
      if (resource != null && frame != null) {
        Context context = new Context(frame, known, applications);
        views.add(view(resource, context));
      }
    }
    return views;
  }

  /** Of an application that has these; what cannot be observed is left out and counted. */
  static Aggregate health(List<View> resources) {
    return Aggregate.of(resources.stream().map(ResourceViews::child).toList());
  }

  private static Aggregate.Child child(View view) {
    NodeRef node = new ApplicationNodes(view.environment()).resource(view.identity());
    boolean observable =
        view.observed() == null || !view.observed().rule().equals(Sample.NOT_OBSERVABLE);
    return observable
        ? new Aggregate.Child.Observed(node, Health.parse(view.health()).orElseThrow())
        : new Aggregate.Child.NotObservable(node);
  }

  private record Context(
      ResourceFrame frame, Map<UUID, KnownResource> known, Map<UUID, String> applications) {}

  private View view(KnownResource r, Context context) {
    Optional<Observation> observed = r.health().observed();
    ResourceFrame frame = context.frame();
    Map<UUID, KnownResource> known = context.known();
    List<KnownResource.Dependency> wanted =
        r.dependencies().stream().filter(KnownResource.Dependency::wanted).toList();
    boolean open = r.state() != ResourceState.ACTIVE && r.state() != ResourceState.DELETED;
    return new View(
        r.id(),
        new ApplicationNodes(frame.environment()).resource(r.identity()),
        r.identity(),
        frame.owner(),
        frame.environment(),
        r.team(),
        r.name(),
        r.type(),
        r.resourceClass(),
        r.state().text(),
        r.since(),
        observed.map(o -> o.sample().health()).orElse(Health.UNKNOWN).text(),
        observed.map(ResourceViews::seen).orElse(null),
        gate(r),
        r.reason(),
        r.provider(),
        Values.map(Values.masked(r.params())),
        Values.map(Values.masked(r.outputs())),
        r.deletionPolicy().word(),
        r.detached(),
        r.run(),
        wanted.stream().map(KnownResource.Dependency::name).distinct().sorted().toList(),
        wanted.stream()
            .filter(d -> open && !ready(known.get(d.on())))
            .map(KnownResource.Dependency::name)
            .distinct()
            .sorted()
            .toList(),
        r.users().stream().map(id -> context.applications().getOrDefault(id, "")).sorted().toList(),
        r.incarnation(),
        r.version(),
        frame.createdAt(),
        frame.updatedAt());
  }

  private Resources.@Nullable ClosedGate gate(KnownResource r) {
    ResourceHealth health = r.health();
    if (!r.gated()) {
      return null;
    }
    Verdict verdict = ResourceGate.judge(r, health.observed(), clock.instant());
    return GateText.reason(verdict)
        .map(
            reason ->
                new Resources.ClosedGate(
                    (verdict instanceof Verdict.Fails ? Stage.FAILED : Stage.WAITING).text(),
                    reason.code().text(),
                    GateText.known(reason, health.observed()),
                    health.gate().map(GateRecord::since).orElse(null),
                    verdict instanceof Verdict.Waits(var _, Instant until) ? until : null))
        .orElse(null);
  }

  private static boolean ready(@Nullable KnownResource resource) {
    return resource != null && resource.ready();
  }

  private static Resources.Observed seen(Observation o) {
    Sample sample = o.sample();
    return new Resources.Observed(o.since(), sample.at(), sample.message(), sample.rule());
  }

  private static Map<UUID, String> names(Connection connection, KnownResources.Found found)
      throws SQLException {
    Map<UUID, String> names = new HashMap<>();
    Object[] ids = found.uses().stream().map(KnownResources.Use::application).distinct().toArray();
    try (PreparedStatement select =
        connection.prepareStatement("SELECT id, name FROM applications WHERE id = ANY (?)")) {
      select.setArray(1, connection.createArrayOf("uuid", ids));
      try (ResultSet rs = select.executeQuery()) {
        while (rs.next()) {
          names.put(rs.getObject(1, UUID.class), rs.getString(2));
        }
      }
    }
    return names;
  }
}
