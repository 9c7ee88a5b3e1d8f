package dev.slipway.postgres.access;

import dev.slipway.engine.value.Json;
import dev.slipway.postgres.Total;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Who changed what, when, and how it ended. Entries are only ever added. */
public final class AuditLog {
  private final Jdbi jdbi;

  public AuditLog(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** One call. {@code detail} holds no secrets. */
  public record Entry(
      long id,
      Instant at,
      String user,
      String action,
      String object,
      @Nullable String team,
      String outcome,
      Map<String, Object> detail) {}

  /** Which entries; null means all. */
  public record Filter(@Nullable String user, @Nullable String action, @Nullable String object) {}

  /** Adds an entry; its id is given here. */
  public void append(Entry entry) {
    jdbi.useHandle(
        h ->
            h.execute(
                "INSERT INTO audit (at, user_name, action, object, team, outcome, detail)"
                    + " VALUES (?, ?, ?, ?, ?, ?, ?::jsonb)",
                entry.at(),
                entry.user(),
                entry.action(),
                entry.object(),
                entry.team(),
                entry.outcome(),
                Json.write(entry.detail())));
  }

  /** Entries, newest first, those older than {@code before} only. */
  public Slice<Entry> list(Filter filter, @Nullable Long before, int limit) {
    String where =
        """
         FROM audit WHERE (:user::text IS NULL OR user_name = :user)
          AND (:action::text IS NULL OR action = :action)
          AND (:object::text IS NULL OR object = :object)
        """;
    return jdbi.withHandle(
        h -> {
          long total =
              h.createQuery(Total.of(where))
                  .bind("user", filter.user())
                  .bind("action", filter.action())
                  .bind("object", filter.object())
                  .mapTo(Long.class)
                  .one();
          List<Entry> rows =
              h.createQuery(
                      "SELECT id, at, user_name, action, object, team, outcome, detail::text"
                          + where
                          + " AND id < :before ORDER BY id DESC LIMIT :limit")
                  .bind("user", filter.user())
                  .bind("action", filter.action())
                  .bind("object", filter.object())
                  .bind("before", before == null ? Long.MAX_VALUE : before)
                  .bind("limit", limit + 1)
                  .map(
                      (rs, ctx) ->
                          new Entry(
                              rs.getLong("id"),
                              rs.getTimestamp("at").toInstant(),
                              rs.getString("user_name"),
                              rs.getString("action"),
                              rs.getString("object"),
                              rs.getString("team"),
                              rs.getString("outcome"),
                              Json.readMap(rs.getString("detail"))))
                  .list();
          return Slice.of(rows, limit, total, entry -> Long.toString(entry.id()));
        });
  }
}
