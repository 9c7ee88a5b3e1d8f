package dev.slipway.postgres.overview;

import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.progress.Teams;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Which runs; null does not limit. */
public record RunFilter(
    @Nullable String application,
    @Nullable String environment,
    @Nullable RunState state,
    @Nullable String search,
    @Nullable UUID resource,
    @Nullable UUID parent) {
  /** A text is looked for in so many of the newest: no index finds it. */
  public static final int SEARCHED = 20_000;

  /** Every run. */
  public static final RunFilter ALL = new RunFilter(null, null, null, null, null, null);

  /**
   * FROM and WHERE of runs that the reader may see: the newest {@code :most} of them, or of each
   * team, since an index has the newest of one team, but not of several. Which team that is, is not
   * known when the plan is made; ordered by the team too, no plan is good but that of its index.
   */
  String newest(Teams visible, @Nullable UUID after) {
    String conditions = String.join(" AND ", conditions(after));
    String rows =
        switch (visible) {
          case Teams.Every every ->
              """
              FROM (SELECT * FROM runs WHERE %s
                     ORDER BY id DESC LIMIT :most) AS runs
              """
                  .formatted(conditions);
          case Teams.Named named ->
              """
              FROM unnest(:teams) AS mine (name) CROSS JOIN LATERAL (
                   SELECT * FROM runs WHERE team BETWEEN mine.name AND mine.name AND %s
                    ORDER BY team DESC, id DESC LIMIT :most) AS runs
              """
                  .formatted(conditions);
        };
    return search == null
        ? rows
        : rows
            + " WHERE position(lower(:search) IN lower(concat_ws(' ', id, workflow, provider,"
            + " application, resource, resource_type))) > 0";
  }

  /** Only what is asked for: a plan for a condition that may hold for all rows uses no index. */
  private List<String> conditions(@Nullable UUID after) {
    List<String> all = new ArrayList<>(List.of("true"));
    if (after != null) {
      all.add("id < :after");
    }
    if (application != null) {
      all.add("application = :application");
    }
    if (environment != null) {
      all.add("environment = :environment");
    }
    if (state != null) {
      // Written out: the index of some states alone is not used for a state that is told later.
      all.add("state = '" + state.text() + "'");
    }
    if (resource != null) {
      all.add("resource_id = :resource");
    }
    if (parent != null) {
      all.add("parent_run_id = :parent");
    }
    return all;
  }
}
