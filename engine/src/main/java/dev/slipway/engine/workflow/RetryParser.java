package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Section;
import java.util.Optional;

/** Reads {@code retry}. */
record RetryParser(Section step) {
  static final int MOST_ATTEMPTS = 100;

  Retry retry(int defaultAttempts) {
    Retry otherwise = Retry.ONCE.withAttempts(defaultAttempts);
    if (step.has("retries")) {
      step.warning("retries", "legacy-form", "an old field", "Write 'retry: {attempts: n}'.");
      int more = step.integer("retries", 0, MOST_ATTEMPTS - 1, 0);
      otherwise = otherwise.withAttempts(more + 1);
    }
    if (step.value("retry").orElse(null) instanceof Long) {
      return otherwise.withAttempts(step.integer("retry", 1, MOST_ATTEMPTS, 1));
    }
    Optional<Section> fields = step.section("retry");
    return fields.isEmpty() ? otherwise : retry(fields.get(), otherwise);
  }

  private static Retry retry(Section fields, Retry otherwise) {
    fields.only(WorkflowForms.RETRY.names());
    int attempts = fields.integer("attempts", 1, MOST_ATTEMPTS, otherwise.attempts());
    Retry retry =
        new Retry(
            attempts,
            fields.choice("backoff", Retry.Backoff.class, otherwise.backoff()),
            fields.duration("delay", otherwise.delay()),
            fields.duration("maxDelay", otherwise.maxDelay()),
            jitter(fields, otherwise.jitter()),
            fields.choice("on", Retry.On.class, otherwise.on()));
    fields.noOtherKeys();
    return retry;
  }

  private static double jitter(Section fields, double otherwise) {
    double jitter = fields.number("jitter").map(Number::doubleValue).orElse(otherwise);
    if (jitter < 0 || jitter > 1) {
      fields.error("jitter", "invalid-value", "jitter must be between 0 and 1", null);
    }
    return jitter;
  }
}
