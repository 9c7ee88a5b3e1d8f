package dev.slipway.postgres.overview;

import dev.slipway.engine.access.Teams;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.postgres.RootColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Conditions of a list of runs; null does not filter.
 *
 * @param root as {@link RootColumn} stores it
 * @param node the id of the node that they work on
 */
public record RunFilter(
    @Nullable String root,
    @Nullable String environment,
    @Nullable RunState state,
    @Nullable String search,
    @Nullable UUID node,
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
            + " WHERE position(lower(:search) IN lower(concat_ws(' ', id, workflow, provider, "
            + RootColumn.NAME
            + ", resource, resource_type))) > 0";
  }

  /** Only the requested conditions: a generic plan for an optional condition would use no index. */
  private List<String> conditions(@Nullable UUID after) {
    // Scheduled observation runs are deleted once their result is stored.
    List<String> all = new ArrayList<>(List.of("cause IS DISTINCT FROM 'observation'"));
    if (after != null) {
      all.add("id < :after");
    }
    if (root != null) {
      all.add(RootColumn.NAME + " = :root");
    }
    if (environment != null) {
      all.add("environment = :environment");
    }
    if (state != null) {
      // A literal: a partial index is not used for a state that is a parameter.
      all.add("state = '" + state.text() + "'");
    }
    if (node != null) {
      all.add("resource_id = :node");
    }
    if (parent != null) {
      all.add("parent_run_id = :parent");
    }
    return all;
  }
}
