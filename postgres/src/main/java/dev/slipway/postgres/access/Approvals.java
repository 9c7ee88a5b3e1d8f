package dev.slipway.postgres.access;

import dev.slipway.engine.graph.Event;
import dev.slipway.engine.lifecycle.ApprovalState;
import dev.slipway.postgres.Page;
import dev.slipway.postgres.RootColumn;
import dev.slipway.postgres.access.Approval.Decision;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.reconcile.Signals;
import dev.slipway.postgres.runs.PlannedRuns;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.postgres.runs.RunLineage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;

/** Approvals and their votes. */
public final class Approvals {
  /** A column beside those of {@code approvals a}; those with a root have no use for it. */
  static final String ROOT_RUN =
      "CASE WHEN a."
          + RootColumn.NAME
          + " IS NULL THEN "
          + RunLineage.rootOf("a.run_id")
          + " END AS root_run_id";

  private final Jdbi jdbi;

  public Approvals(Jdbi jdbi) {
    this.jdbi = jdbi;
  }

  /** The result of a vote. */
  public sealed interface Outcome {
    /** The vote counts; the approval as it is now. */
    record Counted(Approval approval) implements Outcome {}

    /** The approval was decided or expired before this vote. */
    record TooLate(Approval approval) implements Outcome {}

    /** This account has voted the same already. */
    record Repeated(Approval approval) implements Outcome {}
  }

  /** Approvals that the reader may see, newest first. */
  public Page<Approval> list(
      ApprovalReader reader, @Nullable String state, @Nullable UUID after, int limit) {
    return jdbi.withHandle(
        h -> {
          ApprovalPage page = new ApprovalPage(h, reader, state);
          List<Approval> rows = page.after(after, limit + 1);
          boolean whole = after == null && rows.size() <= limit;
          return Page.of(rows, limit, whole ? rows.size() : page.total(), a -> a.id().toString());
        });
  }

  /** One approval with its votes. */
  public Optional<Approval> find(UUID id) {
    return jdbi.withHandle(h -> find(h, id, ""));
  }

  /** Whether there is only one account: then no second person can decide. */
  public boolean onlyAccount() {
    return jdbi.withHandle(
        h ->
            h.createQuery("SELECT count(*) = 1 FROM (SELECT 1 FROM users LIMIT 2) AS u")
                .mapTo(Boolean.class)
                .one());
  }

  /** Counts a vote; the last one needed signals the run or the key that waits. */
  public Outcome decide(UUID id, String user, Decision decision, String comment, Instant now) {
    return jdbi.inTransaction(
        h -> {
          Approval approval = find(h, id, " FOR UPDATE").orElseThrow();
          if (approval.state() != ApprovalState.PENDING || !approval.expiresAt().isAfter(now)) {
            return new Outcome.TooLate(approval);
          }
          if (approval.votes().stream().anyMatch(v -> v.user().equals(user))) {
            return new Outcome.Repeated(approval);
          }
          h.execute(
              "INSERT INTO approval_votes (approval_id, user_name, decision, comment, at)"
                  + " VALUES (?, ?, ?, ?, ?)",
              id,
              user,
              word(decision),
              comment,
              now);
          settle(h, approval, user, decision, comment, now);
          return new Outcome.Counted(find(h, id, "").orElseThrow());
        });
  }

  private static void settle(
      Handle handle,
      Approval approval,
      String user,
      Decision decision,
      String comment,
      Instant now) {
    long approved =
        1 + approval.votes().stream().filter(v -> v.decision() == Decision.APPROVE).count();
    if (decision == Decision.APPROVE && approved < approval.required()) {
      return;
    }
    ApprovalState state =
        decision == Decision.APPROVE ? ApprovalState.GRANTED : ApprovalState.REJECTED;
    handle.execute(
        "UPDATE approvals SET state = ?, decided_at = ? WHERE id = ?",
        state.text(),
        now,
        approval.id());
    wake(handle, approval, now);
    List<Event> events = new ArrayList<>();
    if (decision == Decision.APPROVE) {
      PlannedRuns.start(handle, approval.id(), now).ifPresent(events::add);
    } else {
      PlannedRuns.drop(handle, approval.id());
    }
    Map<String, Object> data = approval.ids();
    data.put("by", user);
    data.put("comment", comment);
    events.addFirst(
        new Event(
            decision == Decision.APPROVE ? "approval.granted" : "approval.rejected",
            approval.root(),
            approval.environment(),
            approval.team(),
            "approvals",
            now,
            data));
    EventLog.append(handle, events);
  }

  private static void wake(Handle handle, Approval approval, Instant now) {
    if (approval.runId() != null) {
      PostgresRuns.signal(handle, approval.runId(), now);
    }
    Approval.Wakes wakes = approval.wakes();
    if (wakes != null) {
      Signals.add(handle, wakes.kind(), List.of(wakes.key()), now);
    }
  }

  private static Optional<Approval> find(Handle handle, UUID id, String lock) {
    List<Approval.Vote> votes = new ArrayList<>();
    Optional<Approval> approval =
        handle
            .createQuery("SELECT a.*, " + ROOT_RUN + " FROM approvals a WHERE id = :id" + lock)
            .bind("id", id)
            .map((rs, _) -> ApprovalRows.approval(rs, votes))
            .findOne();
    handle
        .createQuery("SELECT * FROM approval_votes WHERE approval_id = :id ORDER BY at, user_name")
        .bind("id", id)
        .map((rs, _) -> votes.add(ApprovalRows.vote(rs)))
        .list();
    return approval;
  }

  private static String word(Decision decision) {
    return decision.name().toLowerCase(Locale.ROOT);
  }
}
