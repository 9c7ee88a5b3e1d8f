package dev.slipway.postgres.access;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.lifecycle.ApprovalState;
import dev.slipway.engine.lifecycle.State;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request for approval.
 *
 * @param rootRunId the run at the top of those that made the run; null if that is itself, or if the
 *     approval has a root
 * @param request that waits for it; null: a run or one of its steps waits
 * @param wakes the key that has its turn when the approval is decided; null: the run is signalled
 * @param root what it is for, at the top; null: a run that no run has made
 * @param hash what exactly is approved: the inputs of a step, or a plan
 */
public record Approval(
    UUID id,
    Kind kind,
    @Nullable UUID runId,
    @Nullable UUID rootRunId,
    @Nullable String step,
    @Nullable UUID request,
    @Nullable Wakes wakes,
    @Nullable NodeRef root,
    String environment,
    String team,
    String hash,
    String message,
    Voters voters,
    int required,
    Self self,
    String requestedBy,
    ApprovalState state,
    Instant expiresAt,
    Instant createdAt,
    @Nullable Instant decidedAt,
    List<Vote> votes) {

  /** The objects that it is about, as events name them. */
  public Map<String, Object> ids() {
    Map<String, Object> ids = new LinkedHashMap<>();
    ids.put("approvalId", id.toString());
    if (runId != null) {
      ids.put("runId", runId.toString());
    }
    if (rootRunId != null) {
      ids.put("rootRunId", rootRunId.toString());
    }
    if (step != null) {
      ids.put("step", step);
    }
    if (request != null) {
      ids.put("deploymentId", request.toString());
    }
    return ids;
  }

  /** What is approved. */
  public enum Kind implements State {
    STEP,
    PLAN
  }

  /** A key of the reconcile loop. */
  public record Wakes(String kind, String key) {}

  /** Who may decide; all empty: the approvers of the team. */
  public record Voters(Set<String> users, Set<String> teams, Set<String> roles) {
    public boolean unnamed() {
      return users.isEmpty() && teams.isEmpty() && roles.isEmpty();
    }
  }

  /** Whether the requester may decide too. */
  public enum Self {
    ALLOWED,
    REFUSED
  }

  /** One decision of one user. */
  public record Vote(String user, Decision decision, String comment, Instant at) {}

  /** Yes or no. */
  public enum Decision {
    APPROVE,
    REJECT
  }
}
