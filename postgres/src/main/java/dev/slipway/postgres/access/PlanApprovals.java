package dev.slipway.postgres.access;

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
   * @param deployment that waits for the answer
   * @param hash of the plan: a grant counts for no other
   */
  public record Asked(
      UUID id,
      UUID deployment,
      String application,
      String environment,
      String team,
      String hash,
      String message,
      String requestedBy,
      Instant expiresAt,
      Instant at) {}

  public static void ask(Handle tx, Asked asked) {
    tx.execute(
        "INSERT INTO approvals (id, kind, deployment_id, application, environment, team, hash,"
            + " message, requested_by, state, expires_at, created_at)"
            + " VALUES (?, 'plan', ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)",
        asked.id(),
        asked.deployment(),
        asked.application(),
        asked.environment(),
        asked.team(),
        asked.hash(),
        asked.message(),
        asked.requestedBy(),
        asked.expiresAt(),
        asked.at());
  }

  /** The time for an answer is over. */
  public static void expire(Handle tx, UUID approval, Instant now) {
    tx.execute(
        "UPDATE approvals SET state = 'expired', decided_at = ? WHERE id = ? AND state = 'pending'",
        now,
        approval);
  }

  /** These deployments wait no longer. */
  public static void withdraw(Handle tx, Collection<UUID> deployments, Instant now) {
    tx.createUpdate(
            "UPDATE approvals SET state = 'void', decided_at = :now"
                + " WHERE kind = 'plan' AND state = 'pending' AND deployment_id = ANY (:ids)")
        .bind("now", now)
        .bindByType("ids", deployments.toArray(UUID[]::new), UUID[].class)
        .execute();
  }
}
