package dev.slipway.postgres.access;

import dev.slipway.engine.access.Teams;
import dev.slipway.engine.lifecycle.ApprovalState;
import dev.slipway.postgres.Total;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;

/** Reads a page of approvals from indexes: by state, by team and state, and by named approver. */
record ApprovalPage(Handle handle, ApprovalReader reader, @Nullable String state) {
  private static final String[] STATES =
      Arrays.stream(ApprovalState.values()).map(ApprovalState::text).toArray(String[]::new);

  /** The newest of each team in each state, and those that name the reader. */
  private static final String OF_TEAMS =
      """
      SELECT a.* FROM unnest(:teams) AS mine (name) CROSS JOIN unnest(:states) AS asked (state)
       CROSS JOIN LATERAL (
             SELECT * FROM approvals a
              WHERE a.team BETWEEN mine.name AND mine.name
                AND a.state BETWEEN asked.state AND asked.state AND a.id < :after
              ORDER BY a.team DESC, a.state DESC, a.id DESC LIMIT :most) AS a
      UNION
      """;

  private static final String NAMED =
      """
      SELECT * FROM (
        SELECT a.* FROM approvals a
         WHERE (a.users @> ARRAY[CAST(:user AS text)] OR a.teams && CAST(:approvers AS text[]))
           AND a.state = ANY (:states) AND a.id < :after
         ORDER BY a.id DESC LIMIT :most) AS named
      """;

  private static final UUID NEWEST = new UUID(-1, -1);

  List<Approval> after(@Nullable UUID after, int limit) {
    return bind(
            "SELECT a.*, "
                + Approvals.ROOT_RUN
                + " FROM ("
                + rows()
                + ") AS a ORDER BY id DESC LIMIT :most",
            after,
            limit)
        .map((rs, _) -> ApprovalRows.approval(rs, List.of()))
        .list();
  }

  /** Up to {@link Total#MOST} and one more. */
  long total() {
    return bind(Total.of("FROM (" + rows() + ") AS a"), null, Total.MOST + 1)
        .mapTo(Long.class)
        .one();
  }

  private String rows() {
    return switch (reader.sees()) {
      case Teams.Every _ ->
          "SELECT * FROM approvals a WHERE a.id < :after"
              // A range on the leading column: the planner uses its index for every state.
              + (state == null
                  ? " ORDER BY a.id DESC"
                  : " AND a.state BETWEEN :state AND :state ORDER BY a.state DESC, a.id DESC")
              + " LIMIT :most";
      case Teams.Named _ -> OF_TEAMS + NAMED;
    };
  }

  private Query bind(String sql, @Nullable UUID after, int most) {
    return handle
        .createQuery(sql)
        .configure(SqlStatements.class, c -> c.setUnusedBindingAllowed(true))
        .bindByType("teams", names(reader.sees()), String[].class)
        .bindByType("approvers", names(reader.approvesFor()), String[].class)
        .bindByType("states", state == null ? STATES : new String[] {state}, String[].class)
        .bind("state", state)
        .bind("user", reader.user())
        .bind("after", after == null ? NEWEST : after)
        .bind("most", most);
  }

  /** Empty for every team: such a reader sees all approvals and needs no match by name. */
  private static String[] names(Teams teams) {
    return switch (teams) {
      case Teams.Every _ -> new String[0];
      case Teams.Named(var named) -> named.toArray(String[]::new);
    };
  }
}
