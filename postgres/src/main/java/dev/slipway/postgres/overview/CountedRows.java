package dev.slipway.postgres.overview;

/**
 * The rows of a branch whose states are counted. Both texts follow FROM, give a column {@code
 * state} and bind {@code :most}: each reads that many rows from an index at most.
 *
 * @param name of the count, such as the plural of a kind
 * @param all every object
 * @param ofTeams those of {@code :teams}
 */
public record CountedRows(String name, String all, String ofTeams) {
  /** The rows of a table that has a column for the team, and an index that begins with it. */
  public static String ofTeam(String column, String table, String condition, String order) {
    return " unnest(:teams) AS mine (name) CROSS JOIN LATERAL (SELECT %1$s FROM %2$s"
            .formatted(column, table)
        + " WHERE team BETWEEN mine.name AND mine.name %1$s ORDER BY team DESC%2$s LIMIT :most) AS x"
            .formatted(condition, order);
  }
}
