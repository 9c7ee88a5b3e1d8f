package dev.slipway.postgres.access;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.postgres.RootColumn;
import java.time.Instant;
import java.util.Collection;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Approvals of plans, as the branch that waits for them asks for and ends them. */
public final class PlanApprovals {
  private PlanApprovals() {}

  /**
   * What is asked.
   *
   * @param request that waits for the answer
   * @param hash of the plan: a grant counts for no other
   */
  public record Asked(
      UUID id,
      UUID request,
      NodeRef root,
      String team,
      String hash,
      String message,
      String requestedBy,
      Instant expiresAt,
      Instant at) {}

  /** The key of the reconcile loop that has its turn when it is decided. */
  public record Waiter(String kind, String key) {}

  public static void ask(Handle tx, Asked asked, Waiter waiter) {
    tx.execute(
        "INSERT INTO approvals (id, kind, deployment_id, "
            + RootColumn.NAME
            + ", environment, team, hash, message, requested_by, state, expires_at, created_at,"
            + " wake_kind, wake_key)"
            + " VALUES (?, 'plan', ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?)",
        asked.id(),
        asked.request(),
        RootColumn.text(asked.root()),
        asked.root().environment(),
        asked.team(),
        asked.hash(),
        asked.message(),
        asked.requestedBy(),
        asked.expiresAt(),
        asked.at(),
        waiter.kind(),
        waiter.key());
  }

  /** The time for an answer is over. */
  public static void expire(Handle tx, UUID approval, Instant now) {
    tx.execute(
        "UPDATE approvals SET state = 'expired', decided_at = ? WHERE id = ? AND state = 'pending'",
        now,
        approval);
  }

  /** These requests wait no longer. */
  public static void withdraw(Handle tx, Collection<UUID> requests, Instant now) {
    tx.createUpdate(
            "UPDATE approvals SET state = 'void', decided_at = :now"
                + " WHERE kind = 'plan' AND state = 'pending' AND deployment_id = ANY (:ids)")
        .bind("now", now)
        .bindByType("ids", requests.toArray(UUID[]::new), UUID[].class)
        .execute();
  }
}
