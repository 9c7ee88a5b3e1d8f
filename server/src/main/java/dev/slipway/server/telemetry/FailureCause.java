package dev.slipway.server.telemetry;

import java.util.Locale;

/** The few causes by which failures are counted, whatever their exact codes. */
enum FailureCause {
  TIMEOUT,
  RESOLUTION,
  INPUT,
  TEMPLATE,
  STEP,
  EXTERNAL,
  CANCELLED,
  INTERNAL;

  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static FailureCause of(String code) {
    return switch (code) {
      case "timeout", "deadline", "step-timeout", "run-timeout" -> TIMEOUT;
      case "NoProvider",
          "Conflict",
          "NotSupported",
          "PolicyRefused",
          "MissingProgram",
          "no-provider",
          "conflict",
          "not-supported",
          "policy-refused" ->
          RESOLUTION;
      case "InvalidInput", "invalid-input", "missing-parameter", "missing-output" -> INPUT;
      case "template", "template-error", "render" -> TEMPLATE;
      case "connect", "unknown-host", "http-status", "sql-error", "host-not-granted" -> EXTERNAL;
      case "cancelled" -> CANCELLED;
      case "internal", "" -> INTERNAL;
      default -> STEP;
    };
  }
}
