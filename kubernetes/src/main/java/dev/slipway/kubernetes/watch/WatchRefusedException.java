package dev.slipway.kubernetes.watch;

import java.util.Set;

/** The API server refuses a list or a watch. */
final class WatchRefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Rights are missing, the kind is not served, or cannot be watched. */
  private static final Set<Integer> LASTING = Set.of(403, 404, 405);

  private final int status;

  WatchRefusedException(int status, String message) {
    super("status " + status + ": " + message);
    this.status = status;
  }

  int status() {
    return status;
  }

  boolean lasting() {
    return LASTING.contains(status);
  }
}
