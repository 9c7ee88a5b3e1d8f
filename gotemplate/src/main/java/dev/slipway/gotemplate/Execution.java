package dev.slipway.gotemplate;

/** The state of one execution: what was used of the limits, and where it is. */
final class Execution {
  private final Settings settings;
  private final Limits limits;
  private long stepsLeft;

  Execution(Settings settings) {
    this.settings = settings;
    this.limits = settings.limits();
    this.stepsLeft = limits.steps();
  }

  Settings settings() {
    return settings;
  }

  Limits limits() {
    return limits;
  }

  void charge(long steps) {
    stepsLeft -= Math.max(steps, 0);
    if (stepsLeft < 0) {
      throw failure(
          TemplateException.Kind.STEP_LIMIT, "more than " + limits.steps() + " steps", "");
    }
  }

  void room(long characters) {
    if (characters > limits.output()) {
      throw outputLimit();
    }
    charge(characters >> 4);
  }

  TemplateException outputLimit() {
    return failure(
        TemplateException.Kind.OUTPUT_LIMIT,
        "text of more than " + limits.output() + " characters",
        "");
  }

  TemplateException failure(TemplateException.Kind kind, String reason, String hint) {
    return new TemplateException(kind, new Position("", 1, 1), "", reason, hint, null);
  }

  String print(Object value) {
    return String.valueOf(value);
  }

  String format(String format, Object... args) {
    return String.format(format, args);
  }
}
