package dev.slipway.engine.execute;

import dev.slipway.engine.graph.NodeRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Approval requests of steps. Users decide through the API; each decision signals the run. */
public interface ApprovalDesk {
  /**
   * The answer so far. Idempotent: the first call for a run, step and hash stores the question,
   * later calls read it. Expires a question whose time is up, unless a decision came first. Fails
   * when another owner has claimed the run, so that a former owner leaves no question behind.
   *
   * @throws RefusedWriteException when the question can never be stored
   */
  Answer ask(Question question, Instant now);

  /** Withdraws the step's undecided questions. */
  void withdraw(UUID run, String step, Instant now);

  /**
   * A request for approval, stored by the run's owner of that epoch. {@code hash} is over what is
   * approved, so that a decision never counts for other inputs. Users in one of the lists may
   * decide; if all lists are empty, every user with the right to approve.
   */
  record Question(
      UUID run,
      long epoch,
      String step,
      String hash,
      String message,
      List<String> users,
      List<String> teams,
      List<String> roles,
      int required,
      Self self,
      Duration expires,
      String requestedBy,
      @Nullable NodeRef root,
      String environment,
      String team) {}

  /** Whether the requester may decide. */
  enum Self {
    REFUSED,
    ALLOWED
  }

  /** The answer so far. */
  sealed interface Answer {
    /** Undecided until {@code expiresAt}. */
    record Pending(Instant expiresAt, int granted) implements Answer {}

    /** The required number of users approved. */
    record Granted(List<String> by, Instant at, String comment) implements Answer {}

    /** One user rejected it. */
    record Rejected(String by, Instant at, String comment) implements Answer {}

    /** The time ended without a decision. */
    record Expired(Instant at) implements Answer {}
  }
}
