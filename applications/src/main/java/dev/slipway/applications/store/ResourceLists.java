package dev.slipway.applications.store;

import dev.slipway.applications.store.Resources.Filter;
import dev.slipway.applications.store.Resources.View;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Teams;
import dev.slipway.postgres.LongLists;
import dev.slipway.postgres.Page;
import dev.slipway.postgres.Total;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatements;

/** Lists of resources, a page at a time; remembers totals that take long to count. */
final class ResourceLists {
  private static final String OF_APPLICATION =
      """
      r.id = ANY (ARRAY (
        SELECT o.id FROM applications a JOIN resources o ON o.owner_id = a.id
         WHERE a.name = :application
        UNION ALL
        SELECT u.resource_id FROM applications a JOIN resource_users u ON u.application_id = a.id
         WHERE a.name = :application))
      """;

  private final ResourceViews views;
  private final LongLists totals = new LongLists();

  ResourceLists(ResourceViews views) {
    this.views = views;
  }

  /** Those resources, for that reader. */
  private record Asked(Teams visible, Filter filter) {}

  /** One page, by environment and identity. */
  Page<View> page(Handle handle, Caller caller, Filter filter, Page.Ask page) throws SQLException {
    String rows = rows(caller, filter);
    long total =
        totals.total(
            new Asked(caller.sees(), filter),
            () -> bind(handle.createQuery(Total.of(rows)), caller, filter).mapTo(Long.class).one());
    UUID[] ids =
        bind(
                handle.createQuery(
                    "SELECT r.id "
                        + rows
                        + " AND (r.environment, r.identity, r.id) >"
                        + " (:afterEnvironment, :afterIdentity, CAST(:afterId AS uuid))"
                        + " ORDER BY r.environment, r.identity, r.id LIMIT :limit"),
                caller,
                filter)
            .bind("afterEnvironment", part(page, 0, ""))
            .bind("afterIdentity", part(page, 1, ""))
            .bind("afterId", part(page, 2, "00000000-0000-0000-0000-000000000000"))
            .bind("limit", page.limit() + 1)
            .mapTo(UUID.class)
            .list()
            .toArray(UUID[]::new);
    List<View> seen = views.of(handle, ids);
    return Page.of(seen, page, total, r -> r.environment() + " " + r.identity() + " " + r.id());
  }

  /** Only conditions that are asked for, so that the plan can use the index that fits. */
  private static String rows(Caller caller, Filter filter) {
    List<String> all = new ArrayList<>();
    all.add(filter.state().isPresent() ? "r.state = :state" : "r.state <> 'deleted'");
    if (Visibility.teams(caller) != null) {
      all.add(Visibility.OF_RESOURCE);
    }
    filter.environment().ifPresent(_ -> all.add("r.environment = :environment"));
    filter.type().ifPresent(_ -> all.add("r.type = :type"));
    filter.provider().ifPresent(_ -> all.add("r.provider = :provider"));
    filter.application().ifPresent(_ -> all.add(OF_APPLICATION));
    return "FROM resources r WHERE " + String.join(" AND ", all);
  }

  private static String part(Page.Ask page, int index, String otherwise) {
    return page.after()
        .map(after -> after.split(" "))
        .filter(parts -> parts.length == 3)
        .map(parts -> parts[index])
        .orElse(otherwise);
  }

  private static Query bind(Query query, Caller caller, Filter filter) {
    return Visibility.bind(query, caller)
        .configure(SqlStatements.class, c -> c.setUnusedBindingAllowed(true))
        .bind("application", filter.application().orElse(null))
        .bind("environment", filter.environment().orElse(null))
        .bind("type", filter.type().orElse(null))
        .bind("state", filter.state().orElse(null))
        .bind("provider", filter.provider().orElse(null));
  }
}
