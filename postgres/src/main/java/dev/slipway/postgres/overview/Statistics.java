package dev.slipway.postgres.overview;

import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.progress.Teams;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlStatements;

/** How many there are of everything. */
public final class Statistics {
  private final Jdbi jdbi;

  public Statistics(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** Runs of one state are counted no further: most have succeeded, and there may be millions. */
  public static final int MOST_RUNS = 100_000;

  /** Counts by state of what the reader may see. */
  public record Counts(
      Map<String, Long> applications,
      Map<String, Long> resources,
      Map<String, Long> runs,
      long pendingApprovals) {}

  public Counts counts(Teams visible) {
    String[] teams =
        switch (visible) {
          case Teams.Every every -> null;
          case Teams.Named named -> named.names().toArray(String[]::new);
        };
    return jdbi.withHandle(
        h ->
            new Counts(
                byState(h, "applications WHERE deleted_at IS NULL AND", teams),
                byState(h, "resources WHERE state <> 'deleted' AND", teams),
                runs(h, teams),
                byState(h, "approvals WHERE state = 'pending' AND", teams).values().stream()
                    .mapToLong(Long::longValue)
                    .sum()));
  }

  /** Resources by type that are asked for and not settled. */
  public Map<String, Long> pendingResources() {
    return counted(
        "SELECT type AS name, count(*) AS n FROM resources WHERE state IN"
            + " ('requested', 'provisioning', 'updating', 'deprovisioning') GROUP BY type");
  }

  public long pendingApprovals() {
    return counted("SELECT 'all' AS name, count(*) AS n FROM approvals WHERE state = 'pending'")
        .getOrDefault("all", 0L);
  }

  private Map<String, Long> counted(String sql) {
    return jdbi.withHandle(
        h -> {
          Map<String, Long> out = new LinkedHashMap<>();
          h.createQuery(sql)
              .map((rs, context) -> out.put(rs.getString("name"), rs.getLong("n")))
              .list();
          return out;
        });
  }

  private static Map<String, Long> runs(Handle handle, String[] teams) {
    Map<String, Long> out = new TreeMap<>();
    for (RunState state : RunState.values()) {
      long runs =
          handle
              .createQuery(
                  "SELECT count(*) FROM (SELECT 1 FROM runs WHERE state = '%s' %s LIMIT :most) AS n"
                      .formatted(state.text(), teams == null ? "" : "AND team = ANY (:teams)"))
              .configure(SqlStatements.class, c -> c.setUnusedBindingAllowed(true))
              .bindByType("teams", teams, String[].class)
              .bind("most", MOST_RUNS)
              .mapTo(Long.class)
              .one();
      if (runs > 0) {
        out.put(state.text(), runs);
      }
    }
    return out;
  }

  private static Map<String, Long> byState(Handle handle, String what, String[] teams) {
    Map<String, Long> out = new LinkedHashMap<>();
    handle
        .createQuery(
            "SELECT state, count(*) AS n FROM "
                + what
                + " (CAST(:teams AS text[]) IS NULL OR team = ANY (:teams))"
                + " GROUP BY state ORDER BY state")
        .bindByType("teams", teams, String[].class)
        .map((rs, context) -> out.put(rs.getString("state"), rs.getLong("n")))
        .list();
    return out;
  }
}
