package dev.slipway.applications.observe;

import dev.slipway.engine.resolve.Resolution;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * When resources are looked at. All methods are pure.
 *
 * @param interval at the latest that long after a look the next one begins
 * @param resources how many are looked at
 */
public record LookPlan(Duration interval, long resources) {
  private static final int FEWEST_PER_SECOND = 16;

  /** So many parts of an interval may pass between two turns of a shard. */
  private static final int PAUSES = 60;

  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LEAST_WINDOW = Duration.ofSeconds(1);

  /** Looks that were made together drift apart by a tenth of the interval each time. */
  private static final int SPREAD = 10;

  private static final Duration SHORTEST_LIMIT = Duration.ofMinutes(1);

  /** How often the sample of what is not observable is written again, so that it is kept. */
  private static final Duration NOT_OBSERVABLE_AGAIN = Duration.ofDays(1);

  private static final String NOT_LOADED = "its provider is not loaded";

  /**
   * When the look after one that begins now is due: two pauses before the end of the interval at
   * the latest, so that it begins within the interval.
   */
  public Instant next(UUID resource, Instant now) {
    return now.plus(interval).minus(pause().multipliedBy(2)).minusMillis(early(resource, now));
  }

  /** When a look is tried again for which its provider has no room: in the first half. */
  public Instant putOff(UUID resource, Instant now) {
    return now.plus(interval.dividedBy(2)).minusMillis(4 * early(resource, now));
  }

  private long early(UUID resource, Instant now) {
    int spread = (int) (interval.toMillis() / SPREAD);
    return Math.floorMod(resource.hashCode() ^ now.getEpochSecond(), 1 + spread);
  }

  /** How long a shard rests: what falls due meanwhile is begun by one turn. */
  public Duration pause() {
    Duration pause = interval.dividedBy(PAUSES);
    if (pause.compareTo(SHORTEST_PAUSE) < 0) {
      return SHORTEST_PAUSE;
    }
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  /**
   * How many looks of the schedule may begin in a second: twice as many as the resources need, so
   * that those that had to wait are made up for within an interval.
   */
  public int perSecond() {
    long needed = Math.ceilDiv(2 * 1000 * resources, Math.max(1, interval.toMillis()));
    return Math.clamp(needed, FEWEST_PER_SECOND, Integer.MAX_VALUE);
  }

  /**
   * How long looks of the schedule are counted, so that one turn may begin what many seconds need.
   */
  Duration window() {
    return pause().compareTo(LEAST_WINDOW) < 0 ? LEAST_WINDOW : pause();
  }

  /** How many looks of the schedule may begin in a window. */
  int perPause() {
    return Math.toIntExact(Math.ceilDiv(perSecond() * window().toMillis(), 1000));
  }

  /** How long a look may take; the next one would be due by then. */
  public Duration limit(Duration longestRun) {
    Duration limit = interval.compareTo(SHORTEST_LIMIT) < 0 ? SHORTEST_LIMIT : interval;
    return limit.compareTo(longestRun) < 0 ? limit : longestRun;
  }

  /**
   * Whether what a look found wrong is mended now. A look soon after the end of a run comes too
   * early: a provider whose work never shows would be called without end.
   */
  public boolean mends(Instant lookBegan, Instant runEnded) {
    return !lookBegan.isBefore(runEnded.plus(interval.dividedBy(2)));
  }

  /** What can be done about a resource. */
  public sealed interface Way {
    /** A run of this workflow. */
    record Look(Resolution.Definition definition) implements Way {}

    /** The provider has no {@code read} workflow. */
    record NoRead() implements Way {}

    /** It cannot be looked at now. */
    record NotSeen(String why) implements Way {}
  }

  /** Whether the provider of a resource is loaded. */
  public enum Provider {
    LOADED,
    ABSENT
  }

  public static Way way(Resolution resolution, Provider provider) {
    return switch (resolution) {
      case Resolution.Found(var definition, var _) -> new Way.Look(definition);
      case Resolution.NotSupported(var _, var _, var _) ->
          switch (provider) {
            case LOADED -> new Way.NoRead();
            case ABSENT -> new Way.NotSeen(NOT_LOADED);
          };
      case Resolution.UnknownType(var _, var _) -> new Way.NotSeen(NOT_LOADED);
      case Resolution.Conflicted(var type, var _, var claimants) ->
          new Way.NotSeen("'" + type + "' is claimed by " + String.join(" and ", claimants));
      case Resolution.MissingPrograms lacks -> new Way.NotSeen(lacks.words());
      case Resolution.Barred(var _, var name, var why) ->
          new Way.NotSeen("provider '" + name + "' is refused: " + why);
    };
  }

  /** What is known of a resource that nothing can look at. */
  public sealed interface Unobserved {
    /** Its run succeeded, which counts until then. */
    record Counts(Instant succeeded, Instant until) implements Unobserved {}

    /** Nothing; that is said again then. */
    record Unknown(Instant again) implements Unobserved {}
  }

  /** The success of the last run is the only sample there is; it counts for one interval. */
  public Unobserved unobserved(Optional<Instant> succeeded, Instant now) {
    return succeeded
        .filter(at -> now.isBefore(at.plus(interval)))
        .<Unobserved>map(at -> new Unobserved.Counts(at, at.plus(interval)))
        .orElseGet(() -> new Unobserved.Unknown(now.plus(NOT_OBSERVABLE_AGAIN)));
  }
}
