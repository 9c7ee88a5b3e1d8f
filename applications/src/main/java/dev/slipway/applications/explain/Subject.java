package dev.slipway.applications.explain;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.ApplicationRefs;
import java.time.Instant;
import java.util.Optional;

/**
 * An application as far as it matters here.
 *
 * @param bound whether its containers have got all that they refer to
 */
public record Subject(
    String application,
    String environment,
    ResourceState state,
    Optional<PendingApproval> approval,
    boolean bound) {

  /** What its deployment waits for. */
  public record PendingApproval(String id, String message, Instant since, Instant expires) {}

  ApplicationRefs refs() {
    return new ApplicationRefs(application, environment);
  }

  /** How commands call it. */
  String argument() {
    return environment.equals("default")
        ? application
        : application + " --environment " + environment;
  }
}
