package dev.slipway.postgres.events;

import dev.slipway.engine.lifecycle.Event;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.LastWords;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * What happened, in commit order. Whoever appends holds one advisory lock until its transaction
 * ends, so ids become visible in their order: a reader who has seen id n never misses a smaller
 * one. All wait for that lock, so it is asked for in one message with the commit.
 */
public final class EventLog {
  /** Key of the advisory lock. */
  private static final long LOCK = 0x5_11_9_3A7L;

  private static final String INSERT =
      """
      WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(%d))
      INSERT INTO events (type, application, environment, team, source, at, data)
      SELECT e.type, e.application, e.environment, e.team, e.source, e.at, e.data::json
        FROM locked, unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                            ?::timestamptz[], ?::text[])
             WITH ORDINALITY AS e (type, application, environment, team, source, at, data, n)
       ORDER BY e.n;
      %s
      """
          .formatted(LOCK, Notifications.sending(Topic.EVENTS));

  private final Jdbi jdbi;

  /** Of this database. */
  public EventLog(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Which events a reader wants and may see. Null: any. */
  public record Filter(
      @Nullable String application,
      @Nullable String environment,
      @Nullable Set<String> types,
      @Nullable Set<String> teams) {
    /** Everything. */
    public static final Filter ALL = new Filter(null, null, null, null);
  }

  /** Appends with the commit of the caller's transaction. */
  public static void append(Handle handle, List<Event> events) {
    if (!events.isEmpty()) {
      LastWords.add(handle, new Insert(events));
    }
  }

  /** Appends and commits the transaction of a plain connection. */
  public static void commit(Connection connection, List<Event> events) throws SQLException {
    LastWords.commit(connection, events.isEmpty() ? List.of() : List.of(new Insert(events)));
  }

  private record Insert(List<Event> events) implements LastWords.Words {
    @Override
    public String sql() {
      return INSERT;
    }

    @Override
    public int bind(Connection connection, PreparedStatement insert, int first)
        throws SQLException {
      int next = first;
      insert.setArray(next++, texts(connection, Event::type));
      insert.setArray(next++, texts(connection, Event::application));
      insert.setArray(next++, texts(connection, Event::environment));
      insert.setArray(next++, texts(connection, Event::team));
      insert.setArray(next++, texts(connection, Event::source));
      insert.setArray(
          next++,
          connection.createArrayOf(
              "timestamptz", events.stream().map(e -> e.at().atOffset(ZoneOffset.UTC)).toArray()));
      insert.setArray(next++, texts(connection, e -> Json.write(e.data())));
      return next;
    }

    private Array texts(Connection connection, Function<Event, @Nullable String> part)
        throws SQLException {
      return connection.createArrayOf("text", events.stream().map(part).toArray());
    }
  }

  /** Appends in a transaction of its own. */
  public void append(List<Event> events) {
    jdbi.useTransaction(h -> append(h, events));
  }

  /** Up to {@code limit} events after that id which the filter lets through, in order. */
  public List<StoredEvent> after(long id, Filter filter, int limit) {
    return jdbi.withHandle(
        h ->
            h.createQuery(
                    """
                    SELECT id, type, application, environment, team, source, at, data
                      FROM events
                     WHERE id > :after
                       AND (CAST(:application AS text) IS NULL OR application = :application)
                       AND (CAST(:environment AS text) IS NULL OR environment = :environment)
                       AND (CAST(:types AS text[]) IS NULL OR type = ANY (:types))
                       AND (CAST(:teams AS text[]) IS NULL OR team IS NULL OR team = ANY (:teams))
                     ORDER BY id
                     LIMIT :limit
                    """)
                .bind("after", id)
                .bind("application", filter.application())
                .bind("environment", filter.environment())
                .bindByType("types", array(filter.types()), String[].class)
                .bindByType("teams", array(filter.teams()), String[].class)
                .bind("limit", limit)
                .map((rs, context) -> event(rs))
                .list());
  }

  /** The id of the newest event; 0 when there is none. */
  public long newest() {
    return jdbi.withHandle(
        h -> h.createQuery("SELECT coalesce(max(id), 0) FROM events").mapTo(Long.class).one());
  }

  /** The id of the oldest event that is still kept. */
  public Optional<Long> oldest() {
    return jdbi.withHandle(
        h ->
            h.createQuery("SELECT id FROM events ORDER BY id LIMIT 1").mapTo(Long.class).findOne());
  }

  /** Forgets events older than that, some at a time; answers how many went. */
  public int forget(Instant before, int atMost) {
    return jdbi.withHandle(
        h ->
            h.createUpdate(
                    """
                    DELETE FROM events
                     WHERE id IN (SELECT id FROM events WHERE at < :before ORDER BY id LIMIT :max)
                    """)
                .bind("before", before)
                .bind("max", atMost)
                .execute());
  }

  private static String @Nullable [] array(@Nullable Set<String> texts) {
    return texts == null ? null : texts.toArray(String[]::new);
  }

  private static StoredEvent event(ResultSet rs) throws SQLException {
    return new StoredEvent(
        rs.getLong("id"),
        new Event(
            rs.getString("type"),
            rs.getString("application"),
            rs.getString("environment"),
            rs.getString("team"),
            rs.getString("source"),
            rs.getObject("at", OffsetDateTime.class).toInstant(),
            Json.readMap(rs.getString("data"))));
  }
}
