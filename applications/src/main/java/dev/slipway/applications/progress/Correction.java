package dev.slipway.applications.progress;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.observe.CorrectionPause;
import dev.slipway.applications.observe.DriftPolicy;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.lifecycle.Actor;
import dev.slipway.engine.resolve.AdminConfig.Observe;
import dev.slipway.engine.resolve.Operation;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How drift that a look has found is mended. */
final class Correction {
  /** By the code of the reason; what other codes stand for is not repaired. */
  private static final Map<String, Operation> REPAIRS =
      Map.of(StepError.MISSING, Operation.CREATE, StepError.DRIFT, Operation.UPDATE);

  private Correction() {}

  /** Why a resource that is there is worked on. */
  enum Cause {
    PARAMS(Actor.INTAKE, "changed params"),
    DRIFT(Actor.OBSERVER, "drift correction"),
    RETRY(Actor.USER, "retry");

    private final Actor actor;
    private final String why;

    Cause(Actor actor, String why) {
      this.actor = actor;
      this.why = why;
    }

    Actor actor() {
      return actor;
    }

    String why() {
      return why;
    }
  }

  /** The operation that repairs the resource; empty when drift is only reported or not repaired. */
  static Optional<Operation> of(KnownResource resource, Observe.Drift usual) {
    Map<String, @Nullable Object> reason = resource.reason();
    return switch (DriftPolicy.of(resource.metadata(), usual)) {
      case REPORT, IGNORE -> Optional.empty();
      case CORRECT ->
          resource.state() != ResourceState.DEGRADED || reason == null
              ? Optional.empty()
              : Optional.ofNullable(REPAIRS.get(String.valueOf(reason.get("code"))));
    };
  }

  /** Not before then, because what is corrected comes back. */
  static Optional<Instant> pausedUntil(KnownResource resource) {
    return resource.reason() != null
            && resource.reason().get(CorrectionPause.UNTIL) instanceof String until
        ? Optional.of(Instant.parse(until))
        : Optional.empty();
  }
}
