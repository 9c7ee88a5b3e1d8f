package dev.slipway.applications.store;

import dev.slipway.applications.store.Applications.Filter;
import dev.slipway.applications.store.Applications.Summary;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Teams;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.Page;
import dev.slipway.postgres.Total;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatements;

/** Pages of applications. Each reads the rows of its page from an index, whatever they use. */
final class ApplicationLists {
  /**
   * How many resources each application of the page uses comes with its row. Applications that no
   * turn of this version has counted yet are counted here.
   */
  private static final String PAGE =
      """
      SELECT a.id, a.name, a.environment, a.team, a.revision, a.state, a.version, a.created_at,
             a.updated_at,
             coalesce(a.resource_count,
                      (SELECT count(*) FROM resource_users u WHERE u.application_id = a.id)
             ) AS resources,
             coalesce(a.active_count,
                      (SELECT count(*) FROM resource_users u JOIN resources r ON r.id = u.resource_id
                        WHERE u.application_id = a.id AND r.state = 'active')) AS active
        FROM (SELECT a.* %s LIMIT :most) AS a
       ORDER BY a.environment, a.name
      """;

  private ApplicationLists() {}

  static Page<Summary> list(Handle handle, Caller caller, Filter filter, Page.Ask page) {
    Teams teams = teams(caller, filter);
    String[] after = page.after().orElse("").split("/", 2);
    List<Summary> rows =
        bind(
                handle.createQuery(PAGE.formatted(rows(teams, filter, page))),
                teams,
                filter,
                page.limit() + 1L)
            .bind("afterEnvironment", after[0])
            .bind("afterName", after.length > 1 ? after[1] : "")
            .map(
                (rs, _) ->
                    new Summary(
                        rs.getObject("id", UUID.class),
                        new ApplicationNodes(rs.getString("environment"))
                            .application(rs.getString("name")),
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
    boolean whole = page.after().isEmpty() && rows.size() <= page.limit();
    long total = whole ? rows.size() : total(handle, teams, filter);
    return Page.of(rows, page, total, row -> row.environment() + "/" + row.name());
  }

  private static long total(Handle handle, Teams teams, Filter filter) {
    return bind(
            handle.createQuery(Total.of(rows(teams, filter, Page.Ask.FIRST))),
            teams,
            filter,
            Total.MOST + 1L)
        .mapTo(Long.class)
        .one();
  }

  /** The teams whose applications are asked for and that the caller may see. */
  private static Teams teams(Caller caller, Filter filter) {
    return filter
        .team()
        .<Teams>map(team -> new Teams.Named(caller.sees().includes(team) ? Set.of(team) : Set.of()))
        .orElse(caller.sees());
  }

  /**
   * FROM and WHERE of the first {@code :most} applications, or of those of each team: the index by
   * team is ordered within one team only. Team and state are ranges that lead the order, so that
   * the planner takes their index also when it plans for any value.
   */
  private static String rows(Teams teams, Filter filter, Page.Ask page) {
    String conditions = String.join(" AND ", conditions(filter, page));
    return switch (teams) {
      case Teams.Every _ ->
          "FROM applications a WHERE "
              + conditions
              + " ORDER BY "
              + (filter.state().isPresent() ? "a.state, " : "")
              + "a.environment, a.name";
      case Teams.Named _ ->
          """
          FROM unnest(:teams) AS mine (name) CROSS JOIN LATERAL (
               SELECT * FROM applications a
                WHERE a.team BETWEEN mine.name AND mine.name AND %s
                ORDER BY a.team, a.environment, a.name LIMIT :most) AS a
          ORDER BY a.environment, a.name
          """
              .formatted(conditions);
    };
  }

  /** Only conditions that are asked for, so that the planner can use the index that fits. */
  private static List<String> conditions(Filter filter, Page.Ask page) {
    List<String> all = new ArrayList<>(List.of("a.deleted_at IS NULL"));
    filter.environment().ifPresent(_ -> all.add("a.environment = :environment"));
    filter.state().ifPresent(_ -> all.add("a.state BETWEEN :state AND :state"));
    page.after()
        .ifPresent(_ -> all.add("(a.environment, a.name) > (:afterEnvironment, :afterName)"));
    return all;
  }

  private static Query bind(Query query, Teams teams, Filter filter, long most) {
    String[] names =
        switch (teams) {
          case Teams.Every _ -> null;
          case Teams.Named(var named) -> named.toArray(String[]::new);
        };
    return query
        .configure(SqlStatements.class, c -> c.setUnusedBindingAllowed(true))
        .bindByType("teams", names, String[].class)
        .bind("environment", filter.environment().orElse(null))
        .bind("state", filter.state().orElse(null))
        .bind("most", most);
  }
}
