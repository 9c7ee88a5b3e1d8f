package dev.slipway.engine.lifecycle;

/** The states of a request for approval. */
public enum ApprovalState implements State {
  PENDING,
  GRANTED,
  REJECTED,
  /** Its time ended without a decision. */
  EXPIRED,
  /** Withdrawn: its step ended, or was asked about other inputs. */
  VOID
}
