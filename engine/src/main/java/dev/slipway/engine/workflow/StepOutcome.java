package dev.slipway.engine.workflow;

import dev.slipway.engine.lifecycle.StepState;
import java.util.Map;

/** How a finished step ended, as later steps see it. */
public record StepOutcome(StepState state, Map<String, Object> outputs) {
  boolean is(StepEnding ending) {
    return state == ending.state();
  }
}
