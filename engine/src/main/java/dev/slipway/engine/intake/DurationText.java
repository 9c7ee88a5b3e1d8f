package dev.slipway.engine.intake;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Durations as people write them: {@code 300} (seconds), {@code 90s}, {@code 1h30m}, {@code 7d},
 * {@code 2w}, {@code 500ms}, {@code 1.5h}. Units stand in falling order, each at most once.
 */
public final class DurationText {
  /** The hint of an error about a duration. */
  public static final String FORMS = "Write seconds (300) or units like 90s, 1h30m, 7d, 2w.";

  /** Longer is refused, so that adding a duration to an instant can never overflow. */
  public static final Duration LONGEST = Duration.ofDays(36_500);

  private static final String NUMBER = "(?:(\\d{1,12}(?:\\.\\d{1,9})?)";
  private static final Pattern UNITS =
      Pattern.compile(
          NUMBER + "w)?" + NUMBER + "d)?" + NUMBER + "h)?" + NUMBER + "m)?" + NUMBER + "s)?"
              + NUMBER + "ms)?");
  private static final Pattern SECONDS = Pattern.compile("\\d{1,12}");
  private static final long[] MILLIS = {604_800_000L, 86_400_000L, 3_600_000L, 60_000L, 1_000L, 1L};
  private static final String[] NAMES = {"w", "d", "h", "m", "s", "ms"};

  private DurationText() {}

  /** The duration, or empty when the text is not one. */
  public static Optional<Duration> parse(String text) {
    String trimmed = text.strip();
    if (SECONDS.matcher(trimmed).matches()) {
      return bounded(new BigDecimal(trimmed).multiply(BigDecimal.valueOf(1_000)));
    }
    var matcher = UNITS.matcher(trimmed);
    if (trimmed.isEmpty() || !matcher.matches()) {
      return Optional.empty();
    }
    BigDecimal millis = BigDecimal.ZERO;
    for (int unit = 0; unit < MILLIS.length; unit++) {
      String count = matcher.group(unit + 1);
      if (count != null) {
        millis = millis.add(new BigDecimal(count).multiply(BigDecimal.valueOf(MILLIS[unit])));
      }
    }
    return bounded(millis);
  }

  /** A parsed YAML or JSON value: a whole number of seconds, or text. */
  public static Optional<Duration> parseValue(@Nullable Object value) {
    return switch (value) {
      case String text -> parse(text);
      case Long seconds -> seconds < 0 ? Optional.empty() : parse(Long.toString(seconds));
      case Integer seconds -> seconds < 0 ? Optional.empty() : parse(Integer.toString(seconds));
      case null, default -> Optional.empty();
    };
  }

  /** The shortest text that {@link #parse} reads back to the same duration, such as 1h30m. */
  public static String print(Duration duration) {
    long left = duration.toMillis();
    var text = new StringBuilder();
    // Weeks are only for reading: 10d says more than 1w3d.
    for (int unit = 1; unit < MILLIS.length; unit++) {
      if (left >= MILLIS[unit]) {
        text.append(left / MILLIS[unit]).append(NAMES[unit]);
        left %= MILLIS[unit];
      }
    }
    return text.isEmpty() ? "0s" : text.toString();
  }

  private static Optional<Duration> bounded(BigDecimal millis) {
    return millis.compareTo(BigDecimal.valueOf(LONGEST.toMillis())) > 0
        ? Optional.empty()
        : Optional.of(Duration.ofMillis(millis.longValue()));
  }
}
