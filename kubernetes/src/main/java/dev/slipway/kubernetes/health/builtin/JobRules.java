package dev.slipway.kubernetes.health.builtin;

import dev.slipway.kubernetes.health.Condition;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import java.util.Optional;

/** Jobs, and how the last Job of a CronJob went. */
final class JobRules {
  private JobRules() {}

  /** Only conditions that are True count: a Job that was resumed keeps its condition Suspended. */
  static Optional<ObjectHealth> job(LiveObject job, Neighbours others) {
    return inForce(job, "Failed")
        .map(ObjectHealth::degraded)
        .or(() -> inForce(job, "Suspended").map(ObjectHealth::suspended))
        .or(() -> inForce(job, "Complete").map(ObjectHealth::healthy))
        .or(() -> Optional.of(ObjectHealth.progressing("")));
  }

  private static Optional<String> inForce(LiveObject job, String condition) {
    return job.condition(condition).filter(Condition::isTrue).map(Condition::message);
  }

  static Optional<ObjectHealth> cronJob(LiveObject object, Neighbours others) {
    return Optional.of(health(object));
  }

  private static ObjectHealth health(LiveObject object) {
    if (object.flag("spec", "suspend")) {
      return ObjectHealth.healthy("it is suspended");
    }
    if (!object.has("status")) {
      return ObjectHealth.progressing("it has no status yet");
    }
    String scheduled = object.text("status", "lastScheduleTime");
    String succeeded = object.text("status", "lastSuccessfulTime");
    if (scheduled.isEmpty()) {
      return ObjectHealth.healthy("it has not been due yet");
    }
    if (succeeded.isEmpty()) {
      return ObjectHealth.healthy("no Job of it has succeeded yet");
    }
    if (!object.list("status", "active").isEmpty()) {
      return ObjectHealth.healthy("a Job of it runs");
    }
    return succeeded.compareTo(scheduled) < 0
        ? ObjectHealth.degraded("its last Job, due at " + scheduled + ", did not succeed")
        : ObjectHealth.healthy("its last Job succeeded");
  }
}
