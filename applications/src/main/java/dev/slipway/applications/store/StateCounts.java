package dev.slipway.applications.store;

import dev.slipway.postgres.overview.CountedRows;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/** How many applications and resources there are, by their states. */
public final class StateCounts {
  private static final CountedRows APPLICATIONS =
      new CountedRows(
          "applications",
          "(SELECT state FROM applications WHERE deleted_at IS NULL LIMIT :most) AS x",
          CountedRows.ofTeam("state", "applications", "AND deleted_at IS NULL", ""));

  /**
   * A resource belongs to its owner's team, so a team's resources are found by its applications.
   */
  private static final CountedRows RESOURCES =
      new CountedRows(
          "resources",
          """
          (SELECT state FROM
             (SELECT state FROM resources WHERE state = 'active' LIMIT :most) AS active
           UNION ALL
           SELECT state FROM
             (SELECT state FROM resources WHERE state NOT IN ('active', 'deleted')
               LIMIT :most) AS others) AS x
          """,
          """
          (SELECT r.state FROM unnest(:teams) AS mine (name)
            CROSS JOIN LATERAL (
                  SELECT id FROM applications WHERE team BETWEEN mine.name AND mine.name
                   ORDER BY team LIMIT :most) AS a
            CROSS JOIN LATERAL (
                  SELECT state FROM resources
                   WHERE owner_id BETWEEN a.id AND a.id AND state <> 'deleted'
                   ORDER BY owner_id LIMIT :most) AS r
            LIMIT :most) AS x
          """);

  public static final List<CountedRows> ROWS = List.of(APPLICATIONS, RESOURCES);

  private StateCounts() {}

  /** Resources that a run has still to bring to what is asked for, by type. */
  public static Map<String, Long> pending(Handle handle) {
    Map<String, Long> pending = new LinkedHashMap<>();
    handle
        .createQuery(
            "SELECT type, count(*) AS n FROM resources WHERE state IN"
                + " ('requested', 'provisioning', 'updating', 'deprovisioning') GROUP BY type")
        .map((rs, _) -> pending.put(rs.getString("type"), rs.getLong("n")))
        .list();
    return pending;
  }
}
