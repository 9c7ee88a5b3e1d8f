package dev.slipway.postgres.access;

import dev.slipway.engine.lifecycle.ApprovalState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.postgres.Columns;
import dev.slipway.postgres.RootColumn;
import dev.slipway.postgres.access.Approval.Decision;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows of approvals and their votes. */
final class ApprovalRows {
  private ApprovalRows() {}

  static Approval.Vote vote(ResultSet rs) throws SQLException {
    return new Approval.Vote(
        rs.getString("user_name"),
        Decision.valueOf(rs.getString("decision").toUpperCase(Locale.ROOT)),
        rs.getString("comment"),
        Columns.time(rs, "at"));
  }

  static Approval approval(ResultSet rs, List<Approval.Vote> votes) throws SQLException {
    return new Approval(
        rs.getObject("id", UUID.class),
        State.parse(Approval.Kind.class, rs.getString("kind")),
        rs.getObject("run_id", UUID.class),
        rs.getObject("root_run_id", UUID.class),
        rs.getString("step"),
        rs.getObject("deployment_id", UUID.class),
        wakes(rs),
        RootColumn.ref(rs.getString(RootColumn.NAME), rs.getString("environment")),
        rs.getString("environment"),
        rs.getString("team"),
        rs.getString("hash"),
        rs.getString("message"),
        new Approval.Voters(texts(rs, "users"), texts(rs, "teams"), texts(rs, "roles")),
        rs.getInt("required"),
        rs.getBoolean("allow_self") ? Approval.Self.ALLOWED : Approval.Self.REFUSED,
        rs.getString("requested_by"),
        State.parse(ApprovalState.class, rs.getString("state")),
        Columns.time(rs, "expires_at"),
        Columns.time(rs, "created_at"),
        Columns.timeOrNull(rs, "decided_at"),
        votes);
  }

  private static Approval.@Nullable Wakes wakes(ResultSet rs) throws SQLException {
    String kind = rs.getString("wake_kind");
    return kind == null ? null : new Approval.Wakes(kind, rs.getString("wake_key"));
  }

  private static Set<String> texts(ResultSet rs, String column) throws SQLException {
    return Set.of((String[]) rs.getArray(column).getArray());
  }
}
