package dev.slipway.postgres.reconcile;

import java.time.Instant;

/** When the key has its next turn, unless a signal comes first. */
public sealed interface Next {
  /** No timer. After {@link Wake.Items} the timer of the turn before stays. */
  record Done() implements Next {}

  /** At that time at the latest. */
  record At(Instant due) implements Next {}

  /** No timer. */
  Next DONE = new Done();
}
