package dev.slipway.promises;

import dev.slipway.promises.Diary.Transition;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Transitions that no life has which is lived here undisturbed, each with the reason. */
final class Unlived {
  static final Map<Transition, String> REASONS = reasons();

  private Unlived() {}

  private static Map<Transition, String> reasons() {
    Map<Transition, String> reasons = new HashMap<>();
    for (String end : List.of("succeeded", "failed", "partial", "cancelled")) {
      reasons.put(
          new Transition("run", "waiting", end),
          "the replica that ends it claims it first: it is running");
    }
    reasons.put(
        new Transition("run", "pending", "cancelled"),
        "a newer request comes before a replica has claimed it, a moment: ApplicationStoreTest");
    reasons.put(
        new Transition("step", "running", "running"),
        "comes after a kill alone: every life with a kill in a step has it");
    for (String from : List.of("provisioning", "updating")) {
      reasons.put(
          new Transition("resource", from, "deprovisioning"),
          "only when no replica has claimed the retry or update yet, a moment");
    }
    reasons.put(new Transition("resource", "active", "degraded"), "drift: DriftTest");
    reasons.put(new Transition("resource", "degraded", "active"), "drift: DriftTest");
    for (String from : List.of("active", "degraded")) {
      reasons.put(
          new Transition("resource", from, "failed"),
          "looks move to degraded at most, also when the thing is Missing: ReportedState");
    }
    return Map.copyOf(reasons);
  }
}
