package dev.slipway.kubernetes.cluster;

import java.time.Instant;
import java.util.Optional;

/** What the last contact with a cluster showed. */
public record ClusterHealth(State state, Optional<String> version, String message, Instant at) {
  /** Whether its API server answers. */
  public enum State {
    HEALTHY,
    UNREACHABLE,
    /** It answers, and does not accept the credentials. */
    UNAUTHORIZED,
    /** The configuration of the cluster cannot be used. */
    MISCONFIGURED,
    UNKNOWN
  }
}
