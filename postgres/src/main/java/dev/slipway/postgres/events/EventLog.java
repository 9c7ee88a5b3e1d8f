package dev.slipway.postgres.events;

import dev.slipway.engine.graph.Event;
import dev.slipway.engine.value.Json;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.CommitTail;
import dev.slipway.postgres.RootColumn;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * The log of events. Ids come from a sequence, so transactions that append at the same time may
 * commit in another order than that of their ids; no lock puts them in line. Readers see an event
 * only when no event with a smaller id can still appear ({@link SettledMark}), so a reader that
 * continues after the last id it has seen misses none.
 */
public final class EventLog {
  static final String INSERT =
      """
      INSERT INTO events (type, application, environment, team, source, at, data)
      SELECT e.type, e.application, e.environment, e.team, e.source, e.at, e.data::json
        FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[],
                    ?::timestamptz[], ?::text[])
             WITH ORDINALITY AS e (type, application, environment, team, source, at, data, n)
       ORDER BY e.n
      """;

  private final Jdbi jdbi;
  private final SettledMark mark;
  private final EventPartitions partitions;

  /** Of this database. */
  public EventLog(Jdbi jdbi) {
    this.jdbi = jdbi;
    this.mark = new SettledMark(jdbi);
    this.partitions = new EventPartitions(jdbi);
  }

  /**
   * The events that a reader selects and may see. Null: any.
   *
   * @param root as {@link RootColumn} stores it
   */
  public record Filter(
      @Nullable String root,
      @Nullable String environment,
      @Nullable Set<String> types,
      @Nullable Set<String> teams) {
    /** Everything. */
    public static final Filter ALL = new Filter(null, null, null, null);
  }

  /** Appends with the commit of the caller's transaction. */
  public static void append(Handle handle, List<Event> events) {
    if (!events.isEmpty()) {
      CommitTail.add(handle, new EventInsert(events));
      Notifications.announce(handle, Topic.EVENTS, "");
    }
  }

  /**
   * Appends and commits the transaction of a plain connection. The caller announces {@link
   * Topic#EVENTS} afterwards.
   */
  public static void commit(Connection connection, List<Event> events) throws SQLException {
    CommitTail.commit(connection, events.isEmpty() ? List.of() : List.of(new EventInsert(events)));
  }

  /** Appends in a transaction of its own. */
  public void append(List<Event> events) {
    jdbi.useTransaction(h -> append(h, events));
  }

  /** Up to {@code limit} settled events after that id which the filter lets through, in order. */
  public List<StoredEvent> after(long id, Filter filter, int limit) {
    return between(id, newest(), filter, limit);
  }

  /**
   * Up to {@code limit} events with ids in {@code (after, settled]}, in order.
   *
   * @param settled an answer of {@link #newest}
   */
  public List<StoredEvent> between(long after, long settled, Filter filter, int limit) {
    return jdbi.withHandle(
        h ->
            h.createQuery(
                    """
                    SELECT id, type, application, environment, team, source, at, data
                      FROM events
                     WHERE id > :after AND id <= :settled
                       AND (CAST(:root AS text) IS NULL OR application = :root)
                       AND (CAST(:environment AS text) IS NULL OR environment = :environment)
                       AND (CAST(:types AS text[]) IS NULL OR type = ANY (:types))
                       AND (CAST(:teams AS text[]) IS NULL OR team IS NULL OR team = ANY (:teams))
                     ORDER BY id
                     LIMIT :limit
                    """)
                .bind("after", after)
                .bind("settled", settled)
                .bind("root", filter.root())
                .bind("environment", filter.environment())
                .bindByType("types", array(filter.types()), String[].class)
                .bindByType("teams", array(filter.teams()), String[].class)
                .bind("limit", limit)
                .map((rs, _) -> event(rs))
                .list());
  }

  /** The id up to which all events are settled: none with a smaller one can still appear. */
  public long newest() {
    return mark.settled();
  }

  /** The largest id that any transaction had drawn at the last look. No event has a larger one. */
  public long drawn() {
    return mark.drawn();
  }

  /** Whether events have been appended that are not settled yet, as of the last look. */
  public boolean awaitsWriters() {
    return mark.awaitsWriters();
  }

  /** The id of the oldest event that is still kept. */
  public Optional<Long> oldest() {
    return jdbi.withHandle(
        h ->
            h.createQuery("SELECT id FROM events ORDER BY id LIMIT 1").mapTo(Long.class).findOne());
  }

  /** Makes room for the events of the coming days. */
  public void prepare(Instant now) {
    partitions.prepare(now);
  }

  /**
   * Forgets events older than that, whole days at once and what remains some at a time; answers how
   * many of those went.
   */
  public int forget(Instant before, int atMost) {
    return partitions.forget(before, atMost);
  }

  private static String @Nullable [] array(@Nullable Set<String> texts) {
    return texts == null ? null : texts.toArray(String[]::new);
  }

  private static StoredEvent event(ResultSet rs) throws SQLException {
    return new StoredEvent(
        rs.getLong("id"),
        new Event(
            rs.getString("type"),
            RootColumn.ref(rs.getString(RootColumn.NAME), rs.getString("environment")),
            rs.getString("environment"),
            rs.getString("team"),
            rs.getString("source"),
            Columns.time(rs, "at"),
            Json.readMap(rs.getString("data"))));
  }
}
