package dev.slipway.cli;

import dev.slipway.engine.workflow.StepTypes;
import dev.slipway.steps.StepCatalog;

/** The step types of this version, for checks without a server. */
final class KnownSteps {
  private KnownSteps() {}

  static StepTypes types() {
    return StepCatalog.types();
  }
}
