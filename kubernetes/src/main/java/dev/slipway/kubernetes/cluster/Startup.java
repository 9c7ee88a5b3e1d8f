package dev.slipway.kubernetes.cluster;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Tells refusals that stay from those of an API server that has just started: until it has read the
 * rules of RBAC it refuses what they allow. A refusal counts when the server says that it is ready
 * and refuses the same request again.
 */
final class Startup {
  static final ApiRequest READY = ApiRequest.get("/readyz");

  /** How long a start may take, where the credentials do not allow to ask whether it is over. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final InstantSource clock;
  private volatile Instant lastFailure;

  Startup(InstantSource clock) {
    this.clock = clock;
    this.lastFailure = clock.instant();
  }

  /** Notes that there was no answer: the API server may be starting afterwards. */
  void failed() {
    lastFailure = clock.instant();
  }

  /** Whether an API server that starts may give that answer. */
  static boolean possible(ApiReply reply) {
    return reply.status() == 403
        && (reply.message().contains("forbidden: User ")
            || reply.message().contains("not yet ready to handle request"));
  }

  /** Whether the answer to {@link #READY} means that it has started. */
  boolean over(ApiReply ready) {
    return ready.ok()
        || ready.status() == 403 && clock.instant().isAfter(lastFailure.plus(LONGEST));
  }
}
