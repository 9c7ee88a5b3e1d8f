package dev.slipway.postgres.overview;

import dev.slipway.engine.access.Teams;
import dev.slipway.engine.lifecycle.RunState;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Conditions of a list of runs; null does not filter. */
public record RunFilter(
    @Nullable String application,
    @Nullable String environment,
    @Nullable RunState state,
    @Nullable String search,
    @Nullable UUID resource,
    @Nullable UUID parent) {
  /** A text search examines this many of the newest runs, because no index supports it. */
  public static final int SEARCHED = 20_000;

  /** Every run. */
  public static final RunFilter ALL = new RunFilter(null, null, null, null, null, null);

  /**
   * FROM and WHERE of runs that the reader may see: the newest {@code :most} of them, or of each
   * team, because the index orders by team first. The team is a parameter, unknown when a generic
   * plan is made; ordering by the team too leaves only the plan that uses this index.
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

  /** Only the requested conditions: a generic plan for an optional condition would use no index. */
  private List<String> conditions(@Nullable UUID after) {
    // Scheduled observation runs are deleted once their result is stored.
    List<String> all = new ArrayList<>(List.of("cause IS DISTINCT FROM 'observation'"));
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
      // A literal: a partial index is not used for a state that is a parameter.
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
