package dev.slipway.engine.intake;

/** What a key means that is written twice in one map. */
public enum DuplicateKeys {
  /** An error. */
  REFUSED,
  /** The last one counts, as for tools of Kubernetes; a warning. */
  LAST_COUNTS
}
