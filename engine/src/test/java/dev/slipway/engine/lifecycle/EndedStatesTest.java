package dev.slipway.engine.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class EndedStatesTest {
  @Test
  void what_has_ended_stays_as_it_is() {
    for (RunState from : RunState.values()) {
      for (RunState to : RunState.values()) {
        if (from.finished()) {
          assertThat(Lifecycles.RUN.allows(from, to)).isFalse();
        }
      }
    }
    for (StepState from : StepState.values()) {
      for (StepState to : StepState.values()) {
        if (from.finished() && Lifecycles.STEP.allows(from, to)) {
          assertThat(to).isEqualTo(StepState.ROLLED_BACK);
        }
      }
    }
  }
}
