package dev.slipway.postgres.access;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that waits for people to say yes.
 *
 * @param hash what exactly is approved: the inputs of a step, or a plan
 */
public record Approval(
    UUID id,
    String kind,
    @Nullable UUID runId,
    @Nullable String step,
    @Nullable UUID deploymentId,
    @Nullable String application,
    String environment,
    String team,
    String hash,
    String message,
    Voters voters,
    int required,
    Self self,
    String requestedBy,
    String state,
    Instant expiresAt,
    Instant createdAt,
    @Nullable Instant decidedAt,
    List<Vote> votes) {

  /** Who may decide; all empty: the approvers of the team. */
  public record Voters(Set<String> users, Set<String> teams, Set<String> roles) {
    public boolean unnamed() {
      return users.isEmpty() && teams.isEmpty() && roles.isEmpty();
    }
  }

  /** Whether whoever asked may decide too. */
  public enum Self {
    ALLOWED,
    REFUSED
  }

  /** What somebody said. */
  public record Vote(String user, Decision decision, String comment, Instant at) {}

  /** Yes or no. */
  public enum Decision {
    APPROVE,
    REJECT
  }
}
