package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.ApprovalDesk.Answer;
import dev.slipway.engine.execute.ApprovalDesk.Question;
import dev.slipway.engine.lifecycle.ApprovalState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.postgres.Columns;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The question of a step as stored, locked: its state, and by its votes the answer. */
record AskedApproval(UUID id, ApprovalState state, Instant expiresAt, Instant decidedAt) {

  private enum Decision implements State {
    APPROVE,
    REJECT
  }

  private record Vote(String user, Decision decision, String comment) {}

  /** Locked, so that a decision and the end of its time cannot both be first. */
  static AskedApproval find(Handle handle, Question question) {
    return handle
        .createQuery(
            """
            SELECT id, state, expires_at, coalesce(decided_at, expires_at) AS decided_at
              FROM approvals
             WHERE run_id = :run AND step = :step AND hash = :hash
               FOR UPDATE
            """)
        .bind("run", question.run())
        .bind("step", question.step())
        .bind("hash", question.hash())
        .map((rs, _) -> row(rs))
        .one();
  }

  private static AskedApproval row(ResultSet rs) throws SQLException {
    return new AskedApproval(
        rs.getObject("id", UUID.class),
        State.parse(ApprovalState.class, rs.getString("state")),
        Columns.time(rs, "expires_at"),
        Columns.time(rs, "decided_at"));
  }

  private List<Vote> votes(Handle handle) {
    return handle
        .createQuery(
            "SELECT user_name, decision, comment FROM approval_votes WHERE approval_id = :id"
                + " ORDER BY at, user_name")
        .bind("id", id)
        .map(
            (rs, _) ->
                new Vote(
                    rs.getString(1), State.parse(Decision.class, rs.getString(2)), rs.getString(3)))
        .list();
  }

  Answer answer(Handle handle) {
    List<Vote> votes = votes(handle);
    List<Vote> yes = votes.stream().filter(v -> v.decision() == Decision.APPROVE).toList();
    return switch (state) {
      case GRANTED ->
          new Answer.Granted(
              yes.stream().map(Vote::user).toList(),
              decidedAt,
              yes.isEmpty() ? "" : yes.getLast().comment());
      case REJECTED -> {
        Vote no =
            votes.stream().filter(v -> v.decision() == Decision.REJECT).findFirst().orElseThrow();
        yield new Answer.Rejected(no.user(), decidedAt, no.comment());
      }
      case EXPIRED, VOID -> new Answer.Expired(decidedAt);
      case PENDING -> new Answer.Pending(expiresAt, yes.size());
    };
  }
}
