package dev.slipway.git;

import java.time.Duration;

/**
 * How much a repository elsewhere may cost.
 *
 * @param total the longest that one operation may take
 * @param silence the longest that the other side may say nothing
 * @param packBytes the most that may come over the wire in one operation
 * @param objectBytes the largest single object, unpacked
 */
public record GitLimits(Duration total, Duration silence, long packBytes, long objectBytes) {
  private static final long MEBI = 1024L * 1024;

  /** For providers and for steps. */
  public static final GitLimits USUAL =
      new GitLimits(Duration.ofMinutes(2), Duration.ofSeconds(20), 256 * MEBI, 64 * MEBI);

  /** The same with another limit of time. */
  public GitLimits within(Duration time) {
    return new GitLimits(
        time, time.compareTo(silence) < 0 ? time : silence, packBytes, objectBytes);
  }
}
