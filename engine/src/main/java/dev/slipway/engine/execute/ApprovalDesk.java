package dev.slipway.engine.execute;

import dev.slipway.engine.graph.NodeRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where steps ask people. Votes are cast elsewhere; each decision sends the run a signal. */
public interface ApprovalDesk {
  /**
   * The answer so far. Asks when nobody has asked yet for this run, step and hash; asking again is
   * asking the same. A question whose time is up is expired by this, unless a decision was first.
   * Whoever has lost the run asks nobody: that fails. A question that cannot be kept, now or later,
   * is a {@link RefusedWriteException}.
   */
  Answer ask(Question question, Instant now);

  /** Takes back what is not decided yet. */
  void withdraw(UUID run, String step, Instant now);

  /**
   * What is asked, by the owner of that epoch. {@code hash} is over what is approved: other inputs
   * are another question. Whoever is in one of the lists may answer; all lists empty: whoever has
   * the right to approve.
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

  /** Whether who asked may answer. */
  enum Self {
    REFUSED,
    ALLOWED
  }

  /** The answer so far. */
  sealed interface Answer {
    /** Not decided; it expires then. */
    record Pending(Instant expiresAt, int granted) implements Answer {}

    /** Enough people said yes. */
    record Granted(List<String> by, Instant at, String comment) implements Answer {}

    /** Somebody said no. */
    record Rejected(String by, Instant at, String comment) implements Answer {}

    /** Nobody decided in time. */
    record Expired(Instant at) implements Answer {}
  }
}
