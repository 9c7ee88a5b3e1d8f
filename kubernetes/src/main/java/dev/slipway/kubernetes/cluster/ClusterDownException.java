package dev.slipway.kubernetes.cluster;

import java.io.IOException;
import java.time.Duration;

/** The API server of a cluster does not answer; a changing request may have been carried out. */
public final class ClusterDownException extends IOException {
  private static final long serialVersionUID = 1L;

  private final Duration wait;

  public ClusterDownException(String message, Duration wait) {
    super(message);
    this.wait = wait;
  }

  /** How long to leave it alone. */
  public Duration waitFor() {
    return wait;
  }
}
