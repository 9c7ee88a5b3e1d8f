package dev.slipway.kubernetes.apply;

import dev.slipway.engine.execute.StepError;

/** Refusals of objects that are not the owner's. */
final class NotOurs {
  private NotOurs() {}

  static RefusedException foreign(ObjectRef ref, ClusterObject live, Stamp stamp) {
    boolean stamped = live.annotation(Stamp.OWNER).isPresent();
    return RefusedException.last(
        StepError.NOT_OURS,
        ref
            + (stamped
                ? " belongs to another resource"
                : " exists and was not made for this resource"),
        "Use another name."
            + (stamped
                ? ""
                : " To let this resource adopt it, annotate it with "
                    + Stamp.ADOPT_INTO
                    + "="
                    + stamp.owner()
                    + " and write adopt: true in the step."));
  }

  static RefusedException unasked(ObjectRef ref) {
    return RefusedException.last(
        StepError.NOT_OURS,
        ref + " may be adopted, and the step does not ask for it",
        "Write adopt: true in the step.");
  }
}
