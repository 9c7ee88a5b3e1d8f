package dev.slipway.postgres.applications;

import dev.slipway.engine.progress.Caller;
import dev.slipway.postgres.Total;
import dev.slipway.postgres.applications.Applications.Filter;
import dev.slipway.postgres.applications.Applications.Summary;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/** Pages of applications. */
final class ApplicationLists {
  private static final String WHERE =
      " FROM applications a WHERE a.deleted_at IS NULL AND "
          + String.format(Sight.OF_TEAM, "a")
          + """
           AND (CAST(:environment AS text) IS NULL OR a.environment = :environment)
           AND (CAST(:team AS text) IS NULL OR a.team = :team)
           AND (CAST(:state AS text) IS NULL OR a.state = :state)
          """;

  /** Resources are counted for the applications that are shown, all at once. */
  private static final String PAGE =
      """
      WITH page AS MATERIALIZED (
        SELECT a.id, a.name, a.environment, a.team, a.revision, a.state, a.version, a.created_at,
               a.updated_at
      """
          + WHERE
          + """
                 AND (a.environment, a.name) > (:afterEnvironment, :afterName)
               ORDER BY a.environment, a.name LIMIT :limit),
          counted AS MATERIALIZED (
            SELECT u.application_id, count(*) AS resources,
                   count(*) FILTER (WHERE r.state = 'active') AS active
              FROM resource_users u JOIN resources r ON r.id = u.resource_id
             WHERE u.application_id IN (SELECT id FROM page)
             GROUP BY u.application_id)
          SELECT page.*, coalesce(resources, 0) AS resources, coalesce(active, 0) AS active
            FROM page LEFT JOIN counted ON counted.application_id = page.id
           ORDER BY page.environment, page.name
          """;

  private ApplicationLists() {}

  static Page<Summary> list(Handle handle, Caller caller, Filter filter, Page.Ask page) {
    long total = bind(handle.createQuery(Total.of(WHERE)), caller, filter).mapTo(Long.class).one();
    List<Summary> rows =
        bind(handle.createQuery(PAGE), caller, filter)
            .bind("afterEnvironment", page.after().map(a -> a.split("/", 2)[0]).orElse(""))
            .bind(
                "afterName",
                page.after().map(a -> a.contains("/") ? a.split("/", 2)[1] : "").orElse(""))
            .bind("limit", page.limit() + 1)
            .map(
                (rs, context) ->
                    new Summary(
                        rs.getObject("id", UUID.class),
                        rs.getString("name"),
                        rs.getString("environment"),
                        rs.getString("team"),
                        rs.getInt("revision"),
                        rs.getString("state"),
                        rs.getInt("resources"),
                        rs.getInt("active"),
                        rs.getLong("version"),
                        Columns.time(rs, "created_at"),
                        Columns.time(rs, "updated_at")))
            .list();
    return Page.of(rows, page, total, row -> row.environment() + "/" + row.name());
  }

  private static Query bind(Query query, Caller caller, Filter filter) {
    return Sight.bind(query, caller)
        .bind("environment", filter.environment().orElse(null))
        .bind("team", filter.team().orElse(null))
        .bind("state", filter.state().orElse(null));
  }
}
