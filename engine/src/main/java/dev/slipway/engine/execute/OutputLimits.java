package dev.slipway.engine.execute;

import dev.slipway.engine.value.Json;
import java.util.Map;
import java.util.Optional;

/** What outputs have to keep to, so that they can be stored. */
final class OutputLimits {
  private static final int LARGEST_OUTPUTS = 1024 * 1024;

  private OutputLimits() {}

  /** Why these outputs cannot be kept. */
  static Optional<StepError> refusal(Map<String, Object> outputs) {
    if (outputs.isEmpty()) {
      return Optional.empty();
    }
    String json;
    try {
      json = Json.write(outputs);
    } catch (IllegalArgumentException e) {
      return Optional.of(StepError.permanent("invalid-output", "" + e.getMessage(), null));
    }
    if (json.length() > LARGEST_OUTPUTS) {
      return Optional.of(
          StepError.permanent(
              "outputs-too-large",
              "the outputs have " + json.length() + " characters; at most 1 MiB is kept",
              "Store the data elsewhere and output where it is."));
    }
    if (json.contains("\\u0000")) {
      return Optional.of(
          StepError.permanent(
              "invalid-output",
              "an output contains a NUL character, which cannot be kept",
              "Encode binary data, for example with base64."));
    }
    return Optional.empty();
  }
}
