package dev.slipway.steps;

import dev.slipway.engine.intake.DurationText;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Values;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The {@code poll} of an http step: call again until a field of the answer has a value. */
record Polling(String path, @Nullable Object wanted, Duration interval) {
  private static final Duration USUAL = Duration.ofSeconds(10);
  private static final int LONGEST = 200;

  /** {@code until: {path: json.status, equals: ready}}; without equals the field must be there. */
  static Polling of(Map<String, Object> poll) {
    Map<String, Object> until = Values.map(poll.get("until"));
    Object interval = poll.get("interval");
    return new Polling(
        String.valueOf(until.get("path")),
        until.get("equals"),
        interval == null ? USUAL : DurationText.parse(String.valueOf(interval)).orElse(USUAL));
  }

  boolean done(Map<String, Object> outputs) {
    Object value = value(outputs);
    return wanted == null
        ? value != null
        : value != null && Json.write(value).equals(Json.write(wanted));
  }

  private @Nullable Object value(Map<String, Object> outputs) {
    Object value = outputs;
    for (String key : path.split("\\.")) {
      value = value instanceof Map<?, ?> map ? map.get(key) : null;
    }
    return value;
  }

  /** What it waits for, and what it saw instead. */
  String missing(Map<String, Object> outputs) {
    String what = path + (wanted == null ? " to be there" : " to be " + shown(wanted));
    Object seen = value(outputs);
    return what + " (last seen: " + (seen == null ? "nothing" : shown(seen)) + ")";
  }

  private String shown(Object value) {
    if (Secrets.nameSaysSecret(path.substring(path.lastIndexOf('.') + 1))) {
      return "***";
    }
    String text = Json.write(value);
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }
}
