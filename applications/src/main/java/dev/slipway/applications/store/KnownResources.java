package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.GateRecord;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.KnownResource.Dependency;
import dev.slipway.applications.plan.KnownResource.Work;
import dev.slipway.applications.plan.ResourceHealth;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.intake.DeletionPolicy;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.health.NodeHealth;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The resources that concern an application: those it uses or owns, those with identities that it
 * asks for, everything these depend on, and what depends on these.
 */
final class KnownResources {
  private KnownResources() {}

  /** Whether the rows are only looked at. */
  enum Lock {
    HELD,
    NONE
  }

  private static final String CONCERNED =
      """
      WITH RECURSIVE own AS (
        SELECT id FROM resources WHERE owner_id = ? AND (state <> 'deleted' OR wanted)
        UNION SELECT resource_id FROM resource_users WHERE application_id = ?
        UNION SELECT id FROM resources WHERE environment = ? AND identity = ANY (?)
      ), below AS (
        SELECT id FROM own
        UNION SELECT d.depends_on FROM below b JOIN resource_dependencies d ON d.resource_id = b.id
      )
      SELECT r.id FROM resources r
       WHERE r.id = ANY (ARRAY (SELECT id FROM below
                                UNION SELECT d.resource_id FROM own o
                                        JOIN resource_dependencies d ON d.depends_on = o.id))
       ORDER BY r.id
      """;

  private static final String ROWS =
      """
      SELECT r.*, run.state AS run_state, run.epoch AS run_epoch, undo.id IS NOT NULL AS undoing,
             coalesce(run.created_at, r.state_since) AS attempted, run.finished_at AS ended,
             r.gate_run = r.run_id AS gated, coalesce(a.name, '') AS owner_name,
             coalesce(
      """
          + Reported.UNAPPLIED
          + """
             , false) AS unapplied
        FROM resources r
        LEFT JOIN runs run ON run.id = r.run_id
        LEFT JOIN applications a ON a.id = r.owner_id
        LEFT JOIN LATERAL (
             SELECT b.id FROM runs b
              WHERE run.rollback = 'incomplete' AND b.parent_run_id = run.id
                AND b.kind = 'rollback' AND b.state IN ('pending', 'running', 'waiting')
              LIMIT 1) AS undo ON true
       WHERE r.id = ANY (?)
       ORDER BY r.id
      """;

  /** One use of a resource. */
  record Use(UUID resource, UUID application, String team, String name, boolean bound) {}

  /** What was found. */
  record Found(List<KnownResource> resources, List<Use> uses, Set<UUID> unapplied) {

    /** What one application calls them. */
    Map<String, UUID> names(UUID application) {
      Map<String, UUID> names = new LinkedHashMap<>();
      uses.stream()
          .filter(u -> u.application().equals(application))
          .forEach(u -> names.put(u.name(), u.resource()));
      return names;
    }

    private Found with(Map<NodeRef, Observation> health) {
      return health.isEmpty()
          ? this
          : new Found(
              resources.stream()
                  .map(r -> r.observed(Optional.ofNullable(health.get(r.health().node()))))
                  .toList(),
              uses,
              unapplied);
    }
  }

  /** Locked, with the reports of all runs applied that have something new to say. */
  static Found held(
      ApplicationContext context,
      Handle handle,
      UUID application,
      String environment,
      Collection<String> identities)
      throws SQLException {
    Connection connection = handle.getConnection();
    UUID[] ids = concerned(connection, application, environment, identities, Lock.HELD);
    Found found = load(connection, ids);
    if (found.unapplied().isEmpty()) {
      return found;
    }
    new Reports(context, handle, application).apply(found.unapplied());
    return load(connection, ids);
  }

  /** As they are; a run whose report was not applied yet counts as one that still works. */
  static Found seen(
      Handle handle, UUID application, String environment, Collection<String> identities)
      throws SQLException {
    Connection connection = handle.getConnection();
    return observed(
        connection, concerned(connection, application, environment, identities, Lock.NONE));
  }

  /** With what looks have found of all of them, for those who read. */
  static Found observed(Connection connection, UUID[] ids) throws SQLException {
    Found found = rows(connection, ids);
    return found.with(health(connection, found.resources()));
  }

  /**
   * With what looks have found of those whose gates are not open: nothing else is decided by it.
   */
  static Found load(Connection connection, UUID[] ids) throws SQLException {
    Found found = rows(connection, ids);
    return found.with(
        health(connection, found.resources().stream().filter(KnownResources::judged).toList()));
  }

  private static boolean judged(KnownResource resource) {
    return !resource.health().open()
        && (resource.state() == ResourceState.ACTIVE || resource.state() == ResourceState.DEGRADED);
  }

  private static Map<NodeRef, Observation> health(
      Connection connection, List<KnownResource> resources) throws SQLException {
    return NodeHealth.find(connection, resources.stream().map(r -> r.health().node()).toList());
  }

  private static Found rows(Connection connection, UUID[] ids) throws SQLException {
    if (ids.length == 0) {
      return new Found(List.of(), List.of(), Set.of());
    }
    List<Use> uses = uses(connection, ids);
    Map<UUID, List<UUID>> users = new HashMap<>();
    for (Use use : uses) {
      List<UUID> applications = users.computeIfAbsent(use.resource(), k -> new ArrayList<>());
      if (!applications.contains(use.application())) {
        applications.add(use.application());
      }
    }
    Map<UUID, String> teams = new HashMap<>();
    uses.forEach(use -> teams.put(use.application(), use.team()));
    Map<UUID, List<Dependency>> dependencies = dependencies(connection, ids);
    List<KnownResource> resources = new ArrayList<>();
    Set<UUID> unapplied = new LinkedHashSet<>();
    try (PreparedStatement select = connection.prepareStatement(ROWS)) {
      select.setArray(1, connection.createArrayOf("uuid", ids));
      try (ResultSet rs = select.executeQuery()) {
        while (rs.next()) {
          UUID id = rs.getObject("id", UUID.class);
          if (rs.getBoolean("unapplied")) {
            unapplied.add(id);
          }
          resources.add(
              map(
                  rs,
                  users.getOrDefault(id, List.of()),
                  teams,
                  dependencies.getOrDefault(id, List.of())));
        }
      }
    }
    return new Found(resources, uses, unapplied);
  }

  private static UUID[] concerned(
      Connection connection,
      UUID application,
      String environment,
      Collection<String> identities,
      Lock lock)
      throws SQLException {
    // Locked in the order of ids, as all code does; read again afterwards, as rows may have
    // changed.
    String sql = lock == Lock.HELD ? CONCERNED + " FOR NO KEY UPDATE OF r" : CONCERNED;
    try (PreparedStatement select = connection.prepareStatement(sql)) {
      select.setObject(1, application);
      select.setObject(2, application);
      select.setString(3, environment);
      select.setArray(4, connection.createArrayOf("text", identities.toArray()));
      List<UUID> ids = new ArrayList<>();
      try (ResultSet rs = select.executeQuery()) {
        while (rs.next()) {
          ids.add(rs.getObject(1, UUID.class));
        }
      }
      return ids.toArray(UUID[]::new);
    }
  }

  private static List<Use> uses(Connection connection, UUID[] ids) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT u.resource_id, u.application_id, a.team, u.name, u.bound"
                + " FROM resource_users u JOIN applications a ON a.id = u.application_id"
                + " WHERE u.resource_id = ANY (?) ORDER BY u.since, u.application_id, u.name")) {
      select.setArray(1, connection.createArrayOf("uuid", ids));
      List<Use> uses = new ArrayList<>();
      try (ResultSet rs = select.executeQuery()) {
        while (rs.next()) {
          uses.add(
              new Use(
                  rs.getObject(1, UUID.class),
                  rs.getObject(2, UUID.class),
                  rs.getString(3),
                  rs.getString(4),
                  rs.getBoolean(5)));
        }
      }
      return uses;
    }
  }

  private static Map<UUID, List<Dependency>> dependencies(Connection connection, UUID[] ids)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT resource_id, depends_on, name, wanted FROM resource_dependencies"
                + " WHERE resource_id = ANY (?) ORDER BY name, depends_on")) {
      select.setArray(1, connection.createArrayOf("uuid", ids));
      Map<UUID, List<Dependency>> dependencies = new HashMap<>();
      try (ResultSet rs = select.executeQuery()) {
        while (rs.next()) {
          dependencies
              .computeIfAbsent(rs.getObject(1, UUID.class), k -> new ArrayList<>())
              .add(new Dependency(rs.getObject(2, UUID.class), rs.getString(3), rs.getBoolean(4)));
        }
      }
      return dependencies;
    }
  }

  private static KnownResource map(
      ResultSet rs, List<UUID> users, Map<UUID, String> teams, List<Dependency> dependencies)
      throws SQLException {
    UUID id = rs.getObject("id", UUID.class);
    EncryptionContext row = SealedRows.resource(id);
    return new KnownResource(
        id,
        rs.getString("identity"),
        rs.getString("type"),
        rs.getString("class"),
        rs.getString("name"),
        rs.getObject("owner_id", UUID.class),
        rs.getObject("defined_by", UUID.class),
        rs.getString("team"),
        users,
        users.stream().collect(Collectors.toMap(Function.identity(), teams::get)),
        rs.getBoolean("wanted"),
        rs.getBoolean("detached"),
        rs.getBoolean("replacing"),
        Columns.tree(rs, "metadata", row),
        Columns.tree(rs, "params", row),
        Columns.treeOrNull(rs, "applied_params", row),
        rs.getString("applied_hash"),
        Columns.treeOrNull(rs, "attempted_params", row),
        rs.getString("attempted_hash"),
        Columns.tree(rs, "outputs", row),
        Columns.treeOrNull(rs, "identifying", row),
        Columns.texts(rs, "shared_with"),
        DeletionPolicy.parse(rs.getString("deletion_policy")).orElse(DeletionPolicy.DELETE),
        rs.getString("provider"),
        State.parse(ResourceState.class, rs.getString("state")),
        Columns.time(rs, "state_since"),
        Columns.treeOrNull(rs, "reason"),
        rs.getBoolean("ever_active"),
        rs.getBoolean("ever_started"),
        rs.getBoolean("delete_failed"),
        rs.getInt("incarnation"),
        rs.getObject("run_id", UUID.class),
        rs.getBoolean("undoing") || rs.getBoolean("unapplied")
            ? Work.STARTED
            : work(rs.getString("run_state"), rs.getLong("run_epoch")),
        dependencies,
        rs.getObject("waits_for", UUID.class),
        health(rs),
        rs.getLong("version"));
  }

  private static ResourceHealth health(ResultSet rs) throws SQLException {
    Optional<GateRecord> gate =
        rs.getBoolean("gated") && rs.getString("gate") != null
            ? Optional.of(
                new GateRecord(
                    State.parse(GateRecord.Stage.class, rs.getString("gate")),
                    Columns.timeOrNull(rs, "gate_since"),
                    Columns.timeOrNull(rs, "gate_look")))
            : Optional.empty();
    return new ResourceHealth(
        new ApplicationNodes(rs.getString("environment")).resource(rs.getString("identity")),
        Columns.time(rs, "attempted"),
        Columns.timeOrNull(rs, "ended"),
        gate,
        Optional.empty());
  }

  private static Work work(@Nullable String runState, long epoch) {
    if (runState == null) {
      return Work.NONE;
    }
    RunState state = State.parse(RunState.class, runState);
    if (state.finished()) {
      return Work.NONE;
    }
    return state == RunState.PENDING && epoch == 0 ? Work.UNSTARTED : Work.STARTED;
  }
}
