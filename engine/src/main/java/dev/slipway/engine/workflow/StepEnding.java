package dev.slipway.engine.workflow;

import dev.slipway.engine.lifecycle.StepState;
import java.util.Optional;
import java.util.stream.Stream;

/** The endings of a step that a condition may ask for: {@code make-db.success}. */
enum StepEnding {
  SUCCESS("success", StepState.SUCCEEDED),
  FAILED("failed", StepState.FAILED),
  SKIPPED("skipped", StepState.SKIPPED);

  private final String word;
  private final StepState state;

  StepEnding(String word, StepState state) {
    this.word = word;
    this.state = state;
  }

  static Optional<StepEnding> of(String word) {
    return Stream.of(values()).filter(ending -> ending.word.equals(word)).findFirst();
  }

  /** As written in conditions. */
  String word() {
    return word;
  }

  StepState state() {
    return state;
  }
}
