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

  /** Looks of one interval begin in its last tenth. */
  private static final int SPREAD = 10;

  private static final Duration SHORTEST_LIMIT = Duration.ofMinutes(1);

  /** How often the sample of what is not observable is written again, so that it is kept. */
  private static final Duration NOT_OBSERVABLE_AGAIN = Duration.ofDays(1);

  private static final String NOT_LOADED = "its provider is not loaded";

  /** When the look after one that begins now is due: what was made together drifts apart. */
  public Instant next(UUID resource, Instant now) {
    long millis = interval.toMillis();
    long early =
        Math.floorMod(resource.hashCode() ^ now.getEpochSecond(), 1 + (int) (millis / SPREAD));
    return now.plusMillis(millis - early);
  }

  /**
   * How many looks of the schedule may begin in a second: twice as many as the resources need, so
   * that looks that were put off are made up for within an interval.
   */
  public int perSecond() {
    long needed = Math.ceilDiv(2 * 1000 * resources, Math.max(1, interval.toMillis()));
    return Math.clamp(needed, FEWEST_PER_SECOND, Integer.MAX_VALUE);
  }

  /** The time between two looks that were put off: half of {@link #perSecond} is for them. */
  Duration step() {
    return Duration.ofSeconds(2).dividedBy(perSecond());
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
