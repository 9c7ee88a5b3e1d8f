package dev.slipway.git;

import java.time.Duration;

/**
 * Limits of operations on a remote repository.
 *
 * @param total the time limit of one operation
 * @param silence the longest time without data from the remote
 * @param packBytes the most bytes received in one operation
 * @param objectBytes the largest single object, unpacked
 */
public record GitLimits(Duration total, Duration silence, long packBytes, long objectBytes) {
  private static final long MEBI = 1024L * 1024;

  /** The limits of providers and steps. */
  public static final GitLimits USUAL =
      new GitLimits(Duration.ofMinutes(2), Duration.ofSeconds(20), 256 * MEBI, 64 * MEBI);

  /** The same with another time limit. */
  public GitLimits within(Duration time) {
    return new GitLimits(
        time, time.compareTo(silence) < 0 ? time : silence, packBytes, objectBytes);
  }
}
