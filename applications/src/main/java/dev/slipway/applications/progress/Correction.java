package dev.slipway.applications.progress;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.lifecycle.Actor;
import dev.slipway.engine.resolve.AdminConfig.Observe;
import dev.slipway.engine.resolve.Operation;
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
  static Optional<Operation> of(KnownResource resource, Observe.Drift drift) {
    Map<String, @Nullable Object> reason = resource.reason();
    if (drift == Observe.Drift.REPORT
        || resource.state() != ResourceState.DEGRADED
        || reason == null) {
      return Optional.empty();
    }
    return Optional.ofNullable(REPAIRS.get(String.valueOf(reason.get("code"))));
  }
}
