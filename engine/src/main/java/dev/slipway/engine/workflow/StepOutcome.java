package dev.slipway.engine.workflow;

import dev.slipway.engine.lifecycle.StepState;
import java.util.Map;

/** How a finished step ended, as later steps see it. */
public record StepOutcome(StepState state, Map<String, Object> outputs) {
  /** The words a condition may ask for: {@code make-db.success}. */
  boolean is(String word) {
    return switch (word) {
      case "success" -> state == StepState.SUCCEEDED;
      case "failed" -> state == StepState.FAILED;
      default -> state == StepState.SKIPPED;
    };
  }
}
