package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.RunWrite.ResourceChange;
import dev.slipway.engine.execute.RunWrite.ResourceChange.Effect;
import dev.slipway.engine.lifecycle.Actor;
import dev.slipway.engine.lifecycle.Event;
import dev.slipway.engine.lifecycle.ResourceState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.value.EncryptionContext;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Rows;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What runs do to their resources, in the transaction of the runs' own transitions. A run that is
 * no longer in charge of its resource moves nothing.
 */
final class ResourceMoves {
  private static final String DRIFT = "drift";

  /**
   * Locks alone: a row that has changed meanwhile is joined with what was found before it changed,
   * and would be left out here if its owner is another one since.
   */
  private static final String LOCK =
      """
      SELECT r.id, c.run_id
        FROM resources r
        JOIN unnest(?::uuid[], ?::uuid[], ?::text[]) AS c (id, run_id, seen)
          ON r.id = c.id AND CASE WHEN c.seen IS NULL THEN r.run_id = c.run_id
                                  ELSE r.outputs = c.seen::jsonb END
       ORDER BY r.id
         FOR NO KEY UPDATE OF r
      """;

  private static final String READ =
      """
      SELECT r.id, r.state, r.incarnation, r.identity, r.type, r.name, r.environment, r.team,
             a.name AS application, r.reason ->> 'code' AS reason
        FROM resources r
        JOIN applications a ON a.id = r.owner_id
       WHERE r.id = ANY (?)
       ORDER BY r.id
      """;

  private static final String UPDATE =
      """
      UPDATE resources r
         SET state = m.state,
             state_since = CASE WHEN m.state = r.state THEN r.state_since ELSE m.at END,
             health = coalesce(m.health, r.health),
             reason = CASE WHEN m.state = r.state THEN coalesce(m.reason::jsonb, r.reason)
                           ELSE m.reason::jsonb END,
             outputs = coalesce(m.outputs::jsonb, r.outputs),
             applied_params = CASE WHEN m.applied THEN r.attempted_params
                                   ELSE r.applied_params END,
             applied_hash = CASE WHEN m.applied THEN r.attempted_hash ELSE r.applied_hash END,
             ever_started = r.ever_started OR m.started,
             ever_active = r.ever_active OR m.state = 'active',
             delete_failed = r.state = 'deprovisioning' AND m.state = 'failed',
             version = r.version + 1,
             updated_at = m.at
        FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bool[],
                    ?::bool[], ?::timestamptz[])
          AS m (id, state, health, reason, outputs, started, applied, at)
       WHERE r.id = m.id
      """;

  private static final String HISTORY =
      """
      INSERT INTO resource_transitions (resource_id, incarnation, from_state, to_state, actor,
                                        reason, run_id, epoch, at)
      SELECT * FROM unnest(?::uuid[], ?::int4[], ?::text[], ?::text[], ?::text[], ?::text[],
                           ?::uuid[], ?::int8[], ?::timestamptz[])
      """;

  private static final String WAKE =
      """
      WITH moved AS MATERIALIZED (SELECT * FROM unnest(?::uuid[], ?::timestamptz[]) AS m (id, at))
      INSERT INTO signals (kind, key, at)
      SELECT 'application', application_id::text, max(at)
        FROM (SELECT u.application_id, m.at FROM moved m JOIN resource_users u ON u.resource_id = m.id
              UNION ALL
              SELECT r.owner_id, m.at FROM moved m JOIN resources r ON r.id = m.id) AS users
       GROUP BY application_id
      """;

  private final Connection connection;
  private final SecretBox box;
  private boolean any;

  ResourceMoves(Connection connection, SecretBox box) {
    this.connection = connection;
    this.box = box;
  }

  private record Move(
      UUID resource,
      ResourceState from,
      ResourceState to,
      int incarnation,
      RunWrite write,
      ResourceChange change,
      Instant at,
      Event event) {
    boolean moved() {
      return from != to;
    }
  }

  boolean any() {
    return any;
  }

  /** Moves them; answers the events that tell of it. */
  List<Event> move(List<RunWrite> writes) throws SQLException {
    if (writes.isEmpty()) {
      return List.of();
    }
    List<Move> moves = decide(writes);
    if (moves.isEmpty()) {
      return List.of();
    }
    update(moves);
    List<Move> moved = moves.stream().filter(Move::moved).toList();
    if (moved.isEmpty()) {
      return List.of();
    }
    any = true;
    history(moved);
    wake(moved);
    return moved.stream().map(Move::event).toList();
  }

  private List<Move> decide(List<RunWrite> writes) throws SQLException {
    Map<UUID, List<RunWrite>> byResource = locked(writes);
    if (byResource.isEmpty()) {
      return List.of();
    }
    List<Move> moves = new ArrayList<>();
    try (PreparedStatement read = connection.prepareStatement(READ)) {
      read.setArray(1, connection.createArrayOf("uuid", byResource.keySet().toArray()));
      try (ResultSet rows = read.executeQuery()) {
        while (rows.next()) {
          UUID id = rows.getObject("id", UUID.class);
          List<RunWrite> ofRow =
              Objects.requireNonNull(byResource.get(id), "the query reads these ids only");
          decide(rows, ofRow).ifPresent(moves::add);
        }
      }
    }
    return moves;
  }

  /** The writes whose runs are in charge of their resources, which stay as they are from now on. */
  private Map<UUID, List<RunWrite>> locked(List<RunWrite> writes) throws SQLException {
    Map<UUID, RunWrite> byRun = new HashMap<>();
    writes.forEach(w -> byRun.put(w.run(), w));
    Map<UUID, List<RunWrite>> byResource = new LinkedHashMap<>();
    try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
      Rows.bind(connection, lock, writes)
          .column("uuid", w -> changeOf(w).resource())
          .column("uuid", RunWrite::run)
          .sealed(
              box, w -> EncryptionContext.resource(changeOf(w).resource()), ResourceMoves::seen);
      try (ResultSet rows = lock.executeQuery()) {
        while (rows.next()) {
          byResource
              .computeIfAbsent(rows.getObject("id", UUID.class), id -> new ArrayList<>())
              .add(byRun.get(rows.getObject("run_id", UUID.class)));
        }
      }
    }
    return byResource;
  }

  /** Of several looks that end together one counts. */
  private static Optional<Move> decide(ResultSet row, List<RunWrite> writes) throws SQLException {
    for (RunWrite write : writes) {
      Optional<Move> move = decide(row, write);
      if (move.isPresent()) {
        return move;
      }
    }
    return Optional.empty();
  }

  private static @Nullable Object seen(RunWrite write) {
    ResourceChange change = changeOf(write);
    return change.effect().observes() ? change.outputs() : null;
  }

  private static Optional<Move> decide(ResultSet row, RunWrite write) throws SQLException {
    ResourceState from = State.parse(ResourceState.class, row.getString("state"));
    ResourceChange change = changeOf(write);
    Optional<ResourceState> to = change.effect().from(from);
    if (to.isEmpty() && change.effect() != Effect.STARTED) {
      return Optional.empty();
    }
    boolean drifted = DRIFT.equals(row.getString("reason"));
    if (change.effect().observes() && from == ResourceState.DEGRADED && !drifted) {
      return Optional.empty(); // an update that failed is not made good by a look
    }
    Instant at = write.at();
    return Optional.of(
        new Move(
            row.getObject("id", UUID.class),
            from,
            to.orElse(from),
            row.getInt("incarnation"),
            write,
            change,
            at,
            event(row, to.orElse(from), write, at)));
  }

  private static Event event(ResultSet row, ResourceState to, RunWrite write, Instant at)
      throws SQLException {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("resourceId", row.getString("id"));
    data.put("resource", row.getString("name"));
    data.put("identity", row.getString("identity"));
    data.put("type", row.getString("type"));
    data.put("from", row.getString("state"));
    data.put("state", to.text());
    data.put("runId", write.run().toString());
    if (changeOf(write).error() != null) {
      data.put("error", Trees.of(changeOf(write).error()));
    }
    return new Event(
        "resource." + to.text(),
        row.getString("application"),
        row.getString("environment"),
        row.getString("team"),
        actor(changeOf(write)),
        at,
        data);
  }

  private void update(List<Move> moves) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
      Rows.bind(connection, update, moves)
          .column("uuid", Move::resource)
          .text(m -> m.to().text())
          .text(ResourceMoves::health)
          .json(m -> Trees.of(m.change().error()))
          .sealed(box, m -> EncryptionContext.resource(m.resource()), ResourceMoves::outputs)
          .column("bool", m -> m.change().effect() == Effect.STARTED)
          .column("bool", ResourceMoves::applied)
          .time(Move::at);
      update.executeUpdate();
    }
  }

  private static @Nullable String health(Move move) {
    return switch (move.to()) {
      case ACTIVE -> "Healthy";
      case PROVISIONING, UPDATING, DEPROVISIONING -> "Progressing";
      case DEGRADED -> "Degraded";
      case FAILED -> "Failed";
      case DELETED -> "Missing";
      case REQUESTED -> null;
    };
  }

  private static boolean applied(Move move) {
    return move.to() == ResourceState.ACTIVE && move.change().effect() == Effect.SUCCEEDED;
  }

  private static @Nullable Map<String, Object> outputs(Move move) {
    if (move.change().effect().observes()) {
      return null;
    }
    return move.to() == ResourceState.DELETED ? Map.of() : move.change().outputs();
  }

  private void history(List<Move> moved) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(HISTORY)) {
      Rows.bind(connection, insert, moved)
          .column("uuid", Move::resource)
          .column("int4", Move::incarnation)
          .text(m -> m.from().text())
          .text(m -> m.to().text())
          .text(m -> actor(m.change()))
          .text(m -> m.change().reason())
          .column("uuid", m -> m.write().run())
          .column("int8", m -> m.write().epoch())
          .time(Move::at);
      insert.executeUpdate();
    }
  }

  private void wake(List<Move> moved) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(WAKE)) {
      Rows.bind(connection, insert, moved).column("uuid", Move::resource).time(Move::at);
      insert.executeUpdate();
    }
  }

  private static String actor(ResourceChange change) {
    Actor actor = change.effect().observes() ? Actor.OBSERVER : Actor.ENGINE;
    return actor.name().toLowerCase(Locale.ROOT);
  }

  private static ResourceChange changeOf(RunWrite write) {
    return write.resource().orElseThrow();
  }
}
