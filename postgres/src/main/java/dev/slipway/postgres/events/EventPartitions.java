package dev.slipway.postgres.events;

import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of the table of events: one for each day, one for the time before there were any,
 * and one for days that have none. No writer waits for another's disk flush because of them: what
 * locks the table here is committed without waiting for the disk, and happens again if a crash of
 * the database undoes it.
 */
record EventPartitions(Jdbi jdbi) {
  /** How many days ahead have a partition. */
  static final int AHEAD = 7;

  private static final DateTimeFormatter NAME = DateTimeFormatter.ofPattern("'events_'yyyyMMdd");

  private static final String ALL =
      """
      SELECT c.relname AS name,
             substring(b.bound FROM 'FROM \\(''([^'']+)''\\)')::timestamptz AS since,
             substring(b.bound FROM 'TO \\(''([^'']+)''\\)')::timestamptz AS until
        FROM pg_inherits i
        JOIN pg_class c ON c.oid = i.inhrelid
       CROSS JOIN LATERAL (SELECT pg_get_expr(c.relpartbound, c.oid) AS bound) AS b
       WHERE i.inhparent = 'events'::regclass
      """;

  /** Detached by a replica that did not get to drop them. */
  private static final String DETACHED =
      """
      SELECT c.relname FROM pg_class c
       WHERE c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'events'::regclass)
         AND c.relkind = 'r' AND NOT c.relispartition
         AND c.relname ~ '^events_(\\d{8}|before_days)$'
      """;

  /**
   * A waiting lock of the table blocks the statements behind it, so it waits no longer than this.
   */
  private static final String BRIEFLY =
      "SET LOCAL lock_timeout = '1s'; SET LOCAL synchronous_commit = off";

  private static final String OTHER_DAYS = "events_other_days";

  /**
   * A partition for events from {@code since} on and before {@code until}; without either it has
   * the days that have no partition of their own.
   */
  private record Partition(String name, @Nullable Instant since, @Nullable Instant until) {
    boolean has(Instant moment) {
      return until != null && moment.isBefore(until) && (since == null || !moment.isBefore(since));
    }

    /** Whether it spans more than a day, so that its events do not get too old at the same time. */
    boolean open() {
      return since == null;
    }
  }

  /** Makes partitions for today and the days ahead, where there are none. */
  void prepare(Instant now) {
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    if (missing(jdbi.withHandle(EventPartitions::all), today).isEmpty()) {
      return;
    }
    jdbi.useTransaction(
        h -> {
          h.createScript(BRIEFLY).execute();
          // Keeps other replicas from making partitions, and no transaction from writing events.
          h.execute("LOCK TABLE events IN SHARE UPDATE EXCLUSIVE MODE");
          missing(all(h), today).stream().filter(day -> vacant(h, day)).forEach(d -> make(h, d));
        });
  }

  private static List<LocalDate> missing(List<Partition> partitions, LocalDate today) {
    return Stream.iterate(today, day -> day.plusDays(1))
        .limit(AHEAD + 1L)
        .filter(day -> partitions.stream().noneMatch(p -> p.has(beginning(day))))
        .toList();
  }

  private static Instant beginning(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  /** A day that has events in the partition for other days stays there. */
  private static boolean vacant(Handle handle, LocalDate day) {
    return handle
        .createQuery(
            "SELECT NOT EXISTS (SELECT 1 FROM events_other_days WHERE at >= :since AND at < :until)")
        .bind("since", beginning(day))
        .bind("until", beginning(day.plusDays(1)))
        .mapTo(Boolean.class)
        .one();
  }

  private static void make(Handle handle, LocalDate day) {
    String name = NAME.format(day);
    handle.execute("CREATE TABLE %s (LIKE %s INCLUDING ALL)".formatted(name, OTHER_DAYS));
    handle.execute(
        "ALTER TABLE events ATTACH PARTITION %s FOR VALUES FROM ('%s') TO ('%s')"
            .formatted(name, beginning(day), beginning(day.plusDays(1))));
  }

  /**
   * Drops partitions whose events are all older than that, and deletes older events, some at a
   * time, from partitions that span more than a day; answers how many it deleted.
   */
  int forget(Instant before, int atMost) {
    List<Partition> partitions = jdbi.withHandle(EventPartitions::all);
    for (Partition partition : partitions) {
      if (partition.until() != null && !partition.until().isAfter(before)) {
        detach(partition.name());
      }
    }
    jdbi.withHandle(h -> h.createQuery(DETACHED).mapTo(String.class).list()).forEach(this::drop);
    int deleted = 0;
    for (Partition partition : partitions) {
      if (partition.open() && (partition.until() == null || partition.until().isAfter(before))) {
        deleted += delete(partition.name(), before, atMost - deleted);
      }
    }
    return deleted;
  }

  private void detach(String name) {
    jdbi.useTransaction(
        h -> {
          h.createScript(BRIEFLY).execute();
          h.execute("LOCK TABLE events IN ACCESS EXCLUSIVE MODE");
          if (all(h).stream().anyMatch(p -> p.name().equals(name))) { // no replica was faster
            h.execute("ALTER TABLE events DETACH PARTITION " + name);
          }
        });
  }

  private void drop(String name) {
    jdbi.useHandle(h -> h.execute("DROP TABLE IF EXISTS " + name));
  }

  private int delete(String name, Instant before, int atMost) {
    return jdbi.withHandle(
        h ->
            h.createUpdate(
                    "DELETE FROM %1$s WHERE id IN (SELECT id FROM %1$s WHERE at < :before ORDER BY id LIMIT :max)"
                        .formatted(name))
                .bind("before", before)
                .bind("max", atMost)
                .execute());
  }

  private static List<Partition> all(Handle handle) {
    return handle
        .createQuery(ALL)
        .map(
            (rs, _) ->
                new Partition(
                    rs.getString("name"),
                    instant(rs.getObject("since", OffsetDateTime.class)),
                    instant(rs.getObject("until", OffsetDateTime.class))))
        .list();
  }

  private static @Nullable Instant instant(@Nullable OffsetDateTime time) {
    return time == null ? null : time.toInstant();
  }
}
