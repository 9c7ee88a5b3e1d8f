package dev.slipway.postgres.overview;

import dev.slipway.engine.access.Teams;
import dev.slipway.engine.lifecycle.RunState;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;

/** Counts of all objects, with a limit on the rows that one reply may read. */
public final class Statistics {
  /** Rows that are read of each kind and state; the limit for unfinished runs is {@link #QUEUE}. */
  public static final int MOST = 10_000;

  /** The limit for the queue, which is higher because operators look for its length. */
  public static final int QUEUE = 100_000;

  private final Jdbi jdbi;
  private final List<CountedRows> counted;

  /** Of the trunk's objects and of these. */
  public Statistics(Jdbi jdbi, List<CountedRows> counted) {
    this.jdbi = jdbi;
    this.counted = List.copyOf(counted);
  }

  /**
   * Counts by state of the objects that the reader may see.
   *
   * @param objects those of branches, by the name of their rows
   * @param atLeast keys whose count stopped at the limit, such as {@code runs.succeeded}: there may
   *     be more
   */
  public record Counts(
      Map<String, Map<String, Long>> objects,
      Map<String, Long> runs,
      long pendingApprovals,
      Set<String> atLeast) {}

  public Counts counts(Teams visible) {
    return jdbi.withHandle(h -> new Count(h, visible, counted).all());
  }

  public long pendingApprovals() {
    return jdbi.withHandle(
        h ->
            h.createQuery("SELECT count(*) FROM approvals WHERE state = 'pending'")
                .mapTo(Long.class)
                .one());
  }

  /** One reply. Every query reads a limited number of rows from an index. */
  private static final class Count {
    private final Handle handle;
    private final List<CountedRows> counted;
    private final String @Nullable [] teams;
    private final Set<String> atLeast = new TreeSet<>();

    Count(Handle handle, Teams visible, List<CountedRows> counted) {
      this.handle = handle;
      this.counted = counted;
      this.teams =
          switch (visible) {
            case Teams.Every _ -> null;
            case Teams.Named(var names) -> names.toArray(String[]::new);
          };
    }

    Counts all() {
      Map<String, Map<String, Long>> objects = new LinkedHashMap<>();
      for (CountedRows rows : counted) {
        objects.put(rows.name(), byState(rows.name(), teams == null ? rows.all() : rows.ofTeams()));
      }
      Map<String, Long> runs = runs();
      long approvals =
          byState("pendingApprovals", approvals()).values().stream()
              .mapToLong(Long::longValue)
              .sum();
      return new Counts(objects, runs, approvals, Set.copyOf(atLeast));
    }

    private String approvals() {
      return teams == null
          ? "(SELECT state FROM approvals WHERE state = 'pending' LIMIT :most) AS x"
          : CountedRows.ofTeam("state", "approvals", "AND state = 'pending'", "");
    }

    private Map<String, Long> byState(String what, String rows) {
      Map<String, Long> out = new TreeMap<>();
      query("SELECT state, count(*) AS n FROM " + rows + " GROUP BY state", MOST)
          .map((rs, _) -> out.put(rs.getString("state"), rs.getLong("n")))
          .list();
      if (out.values().stream().mapToLong(Long::longValue).sum() >= MOST) {
        atLeast.add(what);
      }
      return out;
    }

    private Map<String, Long> runs() {
      Map<String, Long> out = new TreeMap<>();
      for (RunState state : RunState.values()) {
        int most = state.finished() ? MOST : QUEUE;
        Found found = state == RunState.SUCCEEDED ? succeeded() : inState(state, most);
        if (found.runs() > 0) {
          out.put(state.text(), found.runs());
        }
        if (found.read() >= most) {
          atLeast.add("runs." + state.text());
        }
      }
      return out;
    }

    /** Rows that were read, and how many of them the reader may see. */
    private record Found(long read, long runs) {}

    /** From a partial index of the runs that have not succeeded. */
    private Found inState(RunState state, int most) {
      return found(
          "%s FROM (SELECT team FROM runs WHERE state = '%s' ORDER BY id DESC LIMIT :most) AS x"
              .formatted(
                  teams == null
                      ? "count(*) AS runs"
                      : "count(*) FILTER (WHERE team = ANY (:teams)) AS runs",
                  state.text()),
          most);
    }

    /** Nearly all runs have succeeded, so these are counted among the newest of each team. */
    private Found succeeded() {
      return found(
          "count(*) FILTER (WHERE state = 'succeeded') AS runs FROM "
              + (teams == null
                  ? "(SELECT state FROM runs ORDER BY id DESC LIMIT :most) AS x"
                  : CountedRows.ofTeam("state", "runs", "", ", id DESC")),
          MOST);
    }

    private Found found(String counted, int most) {
      return query("SELECT count(*) AS read, " + counted, most)
          .map((rs, _) -> new Found(rs.getLong("read"), rs.getLong("runs")))
          .one();
    }

    private Query query(String sql, int most) {
      return handle
          .createQuery(sql)
          .configure(SqlStatements.class, c -> c.setUnusedBindingAllowed(true))
          .bindByType("teams", teams, String[].class)
          .bind("most", most);
    }
  }
}
