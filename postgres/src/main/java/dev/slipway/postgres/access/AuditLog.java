package dev.slipway.postgres.access;

import dev.slipway.engine.value.Json;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.Page;
import dev.slipway.postgres.Total;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;

/** The audit log: which account called what, when, with which result. Append-only. */
public final class AuditLog {
  private final Jdbi jdbi;

  public AuditLog(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** One call. {@code detail} contains no secrets. */
  public record Entry(
      long id,
      Instant at,
      String user,
      String action,
      String object,
      @Nullable String team,
      String outcome,
      Map<String, Object> detail) {}

  /** Conditions of a query; null does not filter. */
  public record Filter(@Nullable String user, @Nullable String action, @Nullable String object) {}

  /** Appends an entry; the database assigns its id. */
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
  public Page<Entry> list(Filter filter, @Nullable Long before, int limit) {
    return jdbi.withHandle(
        h -> {
          List<Entry> rows =
              bound(
                      h.createQuery(
                          "SELECT id, at, user_name, action, object, team, outcome, detail::text"
                              + rows(filter, " AND id < :before")
                              + " LIMIT :limit"),
                      filter)
                  .bind("before", before == null ? Long.MAX_VALUE : before)
                  .bind("limit", limit + 1)
                  .map((rs, _) -> entry(rs))
                  .list();
          boolean whole = before == null && rows.size() <= limit;
          long total = whole ? rows.size() : total(h, filter);
          return Page.of(rows, limit, total, entry -> Long.toString(entry.id()));
        });
  }

  private static long total(Handle handle, Filter filter) {
    return bound(handle.createQuery(Total.of(rows(filter, ""))), filter).mapTo(Long.class).one();
  }

  /**
   * Contains only the requested conditions. One of them is a range on the leading column, so that
   * the planner uses its index also in a generic plan.
   */
  private static String rows(Filter filter, String more) {
    String leading =
        filter.object() != null
            ? "object"
            : filter.user() != null ? "user_name" : filter.action() != null ? "action" : "";
    return " FROM audit WHERE true"
        + (filter.user() == null ? "" : " AND user_name BETWEEN :user AND :user")
        + (filter.action() == null ? "" : " AND action BETWEEN :action AND :action")
        + (filter.object() == null ? "" : " AND object BETWEEN :object AND :object")
        + more
        + " ORDER BY "
        + (leading.isEmpty() ? "" : leading + " DESC, ")
        + "id DESC";
  }

  private static Query bound(Query query, Filter filter) {
    return query
        .configure(SqlStatements.class, c -> c.setUnusedBindingAllowed(true))
        .bind("user", filter.user())
        .bind("action", filter.action())
        .bind("object", filter.object());
  }

  private static Entry entry(ResultSet rs) throws SQLException {
    return new Entry(
        rs.getLong("id"),
        Columns.time(rs, "at"),
        rs.getString("user_name"),
        rs.getString("action"),
        rs.getString("object"),
        rs.getString("team"),
        rs.getString("outcome"),
        Json.readMap(rs.getString("detail")));
  }
}
