package dev.slipway.steps;

import dev.slipway.engine.intake.DurationText;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.time.Duration;
import java.util.Map;

/** The {@code poll} of an http step: call again until a field of the answer has a value. */
final class Polling {
  private static final Duration USUAL = Duration.ofSeconds(10);

  private Polling() {}

  /** {@code until: {path: json.status, equals: ready}}; without equals the field must be there. */
  static boolean done(Map<String, Object> poll, Map<String, Object> outputs) {
    Map<String, Object> until = Values.map(poll.get("until"));
    Object value = outputs;
    for (String key : String.valueOf(until.get("path")).split("\\.")) {
      value = value instanceof Map<?, ?> map ? map.get(key) : null;
    }
    Object wanted = until.get("equals");
    return wanted == null
        ? value != null
        : value != null && Json.write(value).equals(Json.write(wanted));
  }

  static Duration interval(Map<String, Object> poll) {
    Object written = poll.get("interval");
    return written == null ? USUAL : DurationText.parse(String.valueOf(written)).orElse(USUAL);
  }
}
