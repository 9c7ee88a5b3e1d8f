package dev.slipway.steps;

import dev.slipway.engine.intake.DurationText;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.value.Secrets;
import dev.slipway.engine.value.Values;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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

  /** What it waits for; the same text at every poll. */
  String waitingFor(Secrets secrets) {
    return path + (wanted == null ? " to be there" : " to be " + shown(wanted, secrets));
  }

  /** What the answer holds instead. */
  String seen(Map<String, Object> outputs, Secrets secrets) {
    return switch (value(outputs)) {
      case null -> "nothing";
      // a whole body may hold secrets
      case String body when path.equals("body") -> "a text of " + body.length() + " characters";
      case Object value -> shown(value, secrets);
    };
  }

  /** Shows plain values only, and none whose path has a secret's name. */
  private String shown(Object value, Secrets secrets) {
    if (Stream.of(path.split("\\.")).anyMatch(Secrets::nameSaysSecret)) {
      return Sealed.MASK;
    }
    return switch (value) {
      case Map<?, ?> map -> "an object";
      case List<?> list -> "a list";
      default -> cut(secrets.mask(Json.write(value)));
    };
  }

  private static String cut(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }
}
