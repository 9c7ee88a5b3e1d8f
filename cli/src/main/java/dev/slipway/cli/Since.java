package dev.slipway.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Times as people read them: 5s, 3m, 2h, 4d. */
final class Since {
  private Since() {}

  static Optional<Instant> instant(@Nullable Object value) {
    try {
      return value == null ? Optional.empty() : Optional.of(Instant.parse(String.valueOf(value)));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  static String age(@Nullable Object value) {
    return instant(value).map(i -> shortly(Duration.between(i, Instant.now()))).orElse("-");
  }

  static String until(@Nullable Object value) {
    return instant(value).map(i -> shortly(Duration.between(Instant.now(), i))).orElse("-");
  }

  static String shortly(Duration duration) {
    long seconds = Math.max(0, duration.toSeconds());
    if (seconds < 10) {
      return "%.1fs".formatted(Math.max(0, duration.toMillis()) / 1000.0);
    }
    if (seconds < 120) {
      return seconds + "s";
    }
    if (seconds < 7200) {
      return seconds / 60 + "m" + (seconds % 60 == 0 ? "" : seconds % 60 + "s");
    }
    return seconds < 172_800 ? seconds / 3600 + "h" : seconds / 86_400 + "d";
  }
}
