package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.applications.plan.Planned;
import dev.slipway.applications.plan.Planned.Assignment;
import dev.slipway.applications.plan.Planned.Role;
import dev.slipway.applications.plan.Wanted;
import dev.slipway.applications.plan.WantedResource;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.lifecycle.Actor;
import dev.slipway.engine.plan.Change;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.postgres.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Makes a plan the desired state: which resources there should be, who uses them, and what they
 * depend on. Starts nothing. A few statements, whatever the number of resources.
 */
final class SpecWriter {
  private static final String INSERT =
      """
      INSERT INTO resources (id, environment, identity, type, class, owner_id, name, defined_by,
                             team, metadata, params, desired_hash, shared_with, deletion_policy,
                             state, state_since, created_at, updated_at)
      SELECT id, environment, identity, type, class, owner, name, owner, team, metadata::jsonb,
             params::jsonb, hash, string_to_array(shared, ','), policy, 'requested', at, at, at
        FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::uuid[], ?::text[],
                    ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                    ?::timestamptz[])
          AS n (id, environment, identity, type, class, owner, name, team, metadata, params, hash,
                shared, policy, at)
      """;

  private static final String UPDATE =
      """
      UPDATE resources r
         SET owner_id = n.owner, name = n.name, defined_by = n.definer, team = n.team,
             metadata = n.metadata::jsonb, params = n.params::jsonb, desired_hash = n.hash,
             shared_with = string_to_array(n.shared, ','), deletion_policy = n.policy,
             wanted = true, detached = false, replacing = n.replacing,
             state = n.state,
             state_since = CASE WHEN n.state = r.state THEN r.state_since ELSE n.at END,
             attempted_hash = CASE WHEN n.again THEN NULL ELSE r.attempted_hash END,
             reason = CASE WHEN n.again THEN NULL ELSE r.reason END,
             version = r.version + 1, updated_at = n.at
        FROM unnest(?::uuid[], ?::uuid[], ?::text[], ?::uuid[], ?::text[], ?::text[], ?::text[],
                    ?::text[], ?::text[], ?::text[], ?::bool[], ?::bool[], ?::text[],
                    ?::timestamptz[])
          AS n (id, owner, name, definer, team, metadata, params, hash, shared, policy, replacing,
                again, state, at)
       WHERE r.id = n.id
      """;

  private final ApplicationContext context;
  private final Handle handle;
  private final Connection connection;
  private final ApplicationRow application;
  private final Instant now;
  private final List<Event> events = new ArrayList<>();

  SpecWriter(ApplicationContext context, Handle handle, ApplicationRow application) {
    this.context = context;
    this.handle = handle;
    this.connection = handle.getConnection();
    this.application = application;
    this.now = context.now();
  }

  /** A wanted resource and its record. */
  private record Record(UUID id, Assignment assignment, boolean fresh) {
    WantedResource wanted() {
      return assignment.wanted();
    }
  }

  List<Event> write(Wanted wanted, Planned planned) throws SQLException {
    List<Record> records = planned.assignments().stream().map(this::record).toList();
    insert(records.stream().filter(Record::fresh).toList());
    update(records.stream().filter(r -> !r.fresh() && defines(r)).toList());
    use(wanted, records);
    depend(records.stream().filter(SpecWriter::defines).toList(), records);
    new RemovalWriter(context, handle, application).write(planned.removals());
    return events;
  }

  private static EncryptionContext row(Record record) {
    return SealedRows.resource(record.id());
  }

  private static boolean defines(Record record) {
    return record.assignment().role() == Role.DEFINES;
  }

  private Record record(Assignment assignment) {
    KnownResource known = assignment.known();
    return known == null || leftByAnotherTeam(known)
        ? new Record(context.ids().get(), assignment, true)
        : new Record(known.id(), assignment, false);
  }

  private boolean leftByAnotherTeam(KnownResource known) {
    return known.state() == ResourceState.DELETED
        && !known.wanted()
        && !known.team().equals(application.team());
  }

  private void insert(List<Record> fresh) throws SQLException {
    if (fresh.isEmpty()) {
      return;
    }
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      Rows.bind(connection, insert, fresh)
          .column("uuid", Record::id)
          .text(r -> application.environment())
          .text(r -> r.wanted().identity())
          .text(r -> r.wanted().type())
          .text(r -> r.wanted().resourceClass())
          .column("uuid", r -> application.id())
          .text(r -> r.wanted().name())
          .text(r -> application.team())
          .sealed(context.box(), SpecWriter::row, r -> metadata(r.wanted()))
          .sealed(context.box(), SpecWriter::row, r -> r.wanted().paramsOrEmpty())
          .text(r -> context.fingerprint().of(r.wanted().paramsOrEmpty()))
          .text(r -> sharing(r.wanted()))
          .text(r -> r.assignment().deletionPolicy().word())
          .time(r -> now);
      insert.executeUpdate();
    }
    History.write(
        connection,
        fresh.stream()
            .map(
                r ->
                    new History.Entry(
                        r.id(),
                        1,
                        null,
                        ResourceState.REQUESTED,
                        Actor.INTAKE,
                        "new identity",
                        now))
            .toList());
    fresh.forEach(this::created);
  }

  private void created(Record record) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("resourceId", record.id().toString());
    data.put("resource", record.wanted().name());
    data.put("identity", record.wanted().identity());
    data.put("type", record.wanted().type());
    data.put("state", "requested");
    tell("resource.created", data);
  }

  private void tell(String type, Map<String, Object> data) {
    events.add(
        context.event(
            type, application.name(), application.environment(), application.team(), data));
  }

  private void update(List<Record> records) throws SQLException {
    if (records.isEmpty()) {
      return;
    }
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      Rows.bind(connection, update, records)
          .column("uuid", Record::id)
          .column("uuid", this::owner)
          .text(r -> owner(r).equals(application.id()) ? r.wanted().name() : known(r).name())
          .column("uuid", r -> application.id())
          .text(r -> owner(r).equals(application.id()) ? application.team() : known(r).team())
          .sealed(context.box(), SpecWriter::row, r -> metadata(r.wanted()))
          .sealed(context.box(), SpecWriter::row, r -> r.wanted().paramsOrEmpty())
          .text(r -> context.fingerprint().of(r.wanted().paramsOrEmpty()))
          .text(r -> sharing(r.wanted()))
          .text(r -> r.assignment().deletionPolicy().word())
          .column(
              "bool", r -> known(r).replacing() || r.assignment().item().change() == Change.REPLACE)
          .column("bool", SpecWriter::again)
          .text(r -> state(r).text())
          .time(r -> now);
      update.executeUpdate();
    }
    // Only the owning application changes a resource, so its turn is signalled.
    ApplicationKey.signal(
        handle,
        records.stream()
            .map(this::owner)
            .filter(o -> !o.equals(application.id()))
            .distinct()
            .toList(),
        now);
    List<Record> asked = records.stream().filter(r -> state(r) != known(r).state()).toList();
    History.write(connection, asked.stream().map(this::requested).toList());
    asked.forEach(this::created);
  }

  private History.Entry requested(Record record) {
    KnownResource known = known(record);
    return new History.Entry(
        known.id(),
        known.incarnation(),
        known.state(),
        ResourceState.REQUESTED,
        Actor.INTAKE,
        "new spec",
        now);
  }

  /** Failed before it was ever there: a new spec is a new request. */
  private static ResourceState state(Record record) {
    KnownResource known = known(record);
    boolean anew =
        known.state() == ResourceState.FAILED
            && !known.everActive()
            && !known.deleteFailed()
            && record.assignment().item().change() != Change.REPLACE;
    return anew ? ResourceState.REQUESTED : known.state();
  }

  /** What failed before is tried again. */
  private static boolean again(Record record) {
    ResourceState state = known(record).state();
    return state == ResourceState.FAILED || state == ResourceState.DEGRADED;
  }

  private UUID owner(Record record) {
    KnownResource known = known(record);
    return known.users().contains(known.owner()) && !known.detached()
        ? known.owner()
        : application.id();
  }

  private static KnownResource known(Record record) {
    KnownResource known = record.assignment().known();
    if (known == null) {
      throw new IllegalStateException("nothing is known of " + record.wanted().identity());
    }
    return known;
  }

  private static Map<String, @Nullable Object> metadata(WantedResource wanted) {
    return wanted.metadata() == null ? Map.of() : wanted.metadata();
  }

  private static String sharing(WantedResource wanted) {
    List<String> teams = new ArrayList<>(wanted.sharing().teams());
    if (wanted.sharing().everybody()) {
      teams.add("*");
    }
    return String.join(",", teams);
  }

  private void use(Wanted wanted, List<Record> records) throws SQLException {
    if (!records.stream().allMatch(Record::fresh) || application.revision() > 0) {
      leave(records);
    }
    if (records.isEmpty()) {
      return;
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO resource_users (resource_id, application_id, name, bound, since)
            SELECT * FROM unnest(?::uuid[], ?::uuid[], ?::text[], ?::bool[], ?::timestamptz[])
            ON CONFLICT (resource_id, application_id, name) DO UPDATE SET bound = excluded.bound
            """)) {
      Rows.bind(connection, insert, records)
          .column("uuid", Record::id)
          .column("uuid", r -> application.id())
          .text(r -> r.wanted().name())
          .column("bool", r -> wanted.bound().contains(r.wanted().name()))
          .time(r -> now);
      insert.executeUpdate();
    }
  }

  /** What the document names no more is used no more. */
  private void leave(List<Record> records) throws SQLException {
    try (PreparedStatement delete =
        connection.prepareStatement(
            "DELETE FROM resource_users u WHERE application_id = ? AND NOT EXISTS"
                + " (SELECT 1 FROM unnest(?::uuid[], ?::text[]) AS k (id, name)"
                + " WHERE k.id = u.resource_id AND k.name = u.name)")) {
      delete.setObject(1, application.id());
      delete.setArray(
          2, connection.createArrayOf("uuid", records.stream().map(Record::id).toArray()));
      delete.setArray(
          3,
          connection.createArrayOf("text", records.stream().map(r -> r.wanted().name()).toArray()));
      delete.executeUpdate();
    }
  }

  private record Edge(UUID from, UUID to, String name) {}

  private void depend(List<Record> defined, List<Record> all) throws SQLException {
    if (defined.isEmpty()) {
      return;
    }
    Map<String, UUID> byName = new HashMap<>();
    all.forEach(r -> byName.put(r.wanted().name(), r.id()));
    List<Edge> edges = new ArrayList<>();
    for (Record record : defined) {
      for (String name : record.wanted().dependsOn()) {
        UUID needed =
            Objects.requireNonNull(byName.get(name), "the plan holds every resource it names");
        edges.add(new Edge(record.id(), needed, name));
      }
    }
    // What was needed before is needed until the new configuration is in place.
    if (defined.stream().allMatch(Record::fresh) && edges.isEmpty()) {
      return;
    }
    try (PreparedStatement old =
        connection.prepareStatement(
            "UPDATE resource_dependencies SET wanted = false WHERE wanted AND resource_id = ANY"
                + " (?)")) {
      old.setArray(1, connection.createArrayOf("uuid", defined.stream().map(Record::id).toArray()));
      old.executeUpdate();
    }
    try (PreparedStatement insert =
        connection.prepareStatement(
            """
            INSERT INTO resource_dependencies (resource_id, depends_on, name)
            SELECT * FROM unnest(?::uuid[], ?::uuid[], ?::text[])
            ON CONFLICT (resource_id, depends_on, name) DO UPDATE SET wanted = true
            """)) {
      Rows.bind(connection, insert, edges)
          .column("uuid", Edge::from)
          .column("uuid", Edge::to)
          .text(Edge::name);
      insert.executeUpdate();
    }
  }
}
