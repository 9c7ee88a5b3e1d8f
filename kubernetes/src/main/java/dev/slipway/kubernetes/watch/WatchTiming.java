package dev.slipway.kubernetes.watch;

import java.time.Duration;

/**
 * How long a watch waits.
 *
 * @param whole after that time the server ends a watch, and the next one goes on where it was
 * @param silence without an event or a bookmark for that time a connection counts as broken; API
 *     servers send a bookmark about once a minute
 * @param answer how long a server may take to answer the request
 * @param firstPause before another try; doubles with each failure
 * @param longestPause before another try at most
 * @param refusedPause after a refusal that lasts: rights are missing, or the kind is not served
 */
public record WatchTiming(
    Duration whole,
    Duration silence,
    Duration answer,
    Duration firstPause,
    Duration longestPause,
    Duration refusedPause) {
  /** For every server. */
  public static final WatchTiming DEFAULT =
      new WatchTiming(
          Duration.ofMinutes(5),
          Duration.ofSeconds(90),
          Duration.ofSeconds(10),
          Duration.ofMillis(200),
          Duration.ofSeconds(15),
          Duration.ofMinutes(5));

  Duration pause(int failures) {
    Duration pause = firstPause.multipliedBy(1L << Math.min(failures - 1, 10));
    return pause.compareTo(longestPause) < 0 ? pause : longestPause;
  }
}
