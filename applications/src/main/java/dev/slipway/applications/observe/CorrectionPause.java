package dev.slipway.applications.observe;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How long drift of a resource is not corrected that comes back: another client, such as a
 * controller, wants it so, and both would write for ever.
 *
 * @param corrections how many there were lately
 * @param until no other one begins before
 */
public record CorrectionPause(int corrections, Instant until) {
  /** In the reason of a resource: its drift is not corrected before that time. */
  public static final String UNTIL = "until";

  /** So far back corrections count. */
  public static final Duration COUNTED = Duration.ofHours(6);

  /** So many follow each other without a pause. */
  static final int FREE = 3;

  private static final Duration FIRST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofMinutes(30);

  /** {@code corrections} are their times within that time, in any order. */
  public static CorrectionPause after(List<Instant> corrections) {
    int count = corrections.size();
    if (count < FREE) {
      return new CorrectionPause(count, Instant.MIN);
    }
    Duration pause = FIRST.multipliedBy(1L << Math.min(count - FREE, 10));
    Instant last = corrections.stream().max(Instant::compareTo).orElseThrow();
    return new CorrectionPause(count, last.plus(pause.compareTo(LONGEST) < 0 ? pause : LONGEST));
  }

  /** Whether none may begin now. */
  public boolean lasts(Instant now) {
    return now.isBefore(until);
  }

  /** For the message of the drift. */
  public String words() {
    return "It was corrected %d times in the last %d hours and comes back: not again before %s"
        .formatted(corrections, COUNTED.toHours(), until);
  }
}
