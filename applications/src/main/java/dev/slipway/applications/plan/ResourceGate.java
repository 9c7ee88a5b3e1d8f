package dev.slipway.applications.plan;

import dev.slipway.engine.health.Gate;
import dev.slipway.engine.health.GateRequest;
import dev.slipway.engine.health.GateRequest.Limits;
import dev.slipway.engine.health.Health;
import dev.slipway.engine.health.Observation;
import dev.slipway.engine.health.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The gate between a resource and what depends on it: it opens once an attempt, on a sample of that
 * attempt. Graces and the timeout count from when the gate began to wait, because the run itself
 * may take long. A look that finds the resource Healthy later than that opens the gate all the
 * same.
 */
public final class ResourceGate {
  /** How long a gate waits before its deployment fails. */
  public static final Duration TIMEOUT = Duration.ofMinutes(5);

  /** Looks of one gate are at least that far apart. */
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Looks of one gate are at most that far apart. */
  private static final Duration LONGEST = Duration.ofSeconds(30);

  /** A look that has found nothing by then is lost. */
  private static final Duration LOST = Duration.ofMinutes(1);

  private ResourceGate() {}

  /** What these samples say about the attempt of the resource. */
  public static Verdict judge(KnownResource resource, Optional<Observation> observed, Instant now) {
    ResourceHealth health = resource.health();
    if (health.open()) {
      return new Verdict.Open();
    }
    Instant since = health.gate().map(GateRecord::since).orElse(now);
    GateRequest request =
        new GateRequest(
            health.node(),
            String.valueOf(resource.run()),
            String.valueOf(resource.appliedHash()),
            health.attempted(),
            Limits.of(timeout(health, since, observed), Duration.ZERO));
    return Gate.judge(request, observed.map(o -> counted(o, since)), now);
  }

  private static Duration timeout(
      ResourceHealth health, Instant since, Optional<Observation> observed) {
    Instant deadline = since.plus(TIMEOUT);
    Instant sampled = observed.map(o -> o.sample().at()).orElse(deadline);
    return Duration.between(health.attempted(), sampled.isAfter(deadline) ? sampled : deadline);
  }

  /** What a look found before the gate waited uses up no grace. */
  private static Observation counted(Observation observed, Instant since) {
    return observed.sample().health() == Health.HEALTHY || !observed.since().isBefore(since)
        ? observed
        : new Observation(observed.sample(), since, observed.seen());
  }

  /**
   * When a gate that waits asks for a look: at once, then in growing distances. Times are rounded
   * up, so that one turn of an application asks for the looks of many of its gates.
   */
  public static Instant nextLook(GateRecord gate, Optional<Observation> observed, Instant now) {
    Instant last = gate.look();
    if (last == null) {
      return now;
    }
    if (observed.filter(o -> !o.sample().at().isBefore(last)).isEmpty()) {
      return rounded(last.plus(LOST), LOST);
    }
    Instant since = gate.since();
    Duration distance = since == null ? SHORTEST : Duration.between(since, last);
    distance = distance.compareTo(SHORTEST) < 0 ? SHORTEST : distance;
    distance = distance.compareTo(LONGEST) > 0 ? LONGEST : distance;
    return rounded(last.plus(distance), distance);
  }

  private static Instant rounded(Instant due, Duration distance) {
    long step = distance.compareTo(Duration.ofSeconds(5)) < 0 ? 1 : 5;
    long seconds = due.getEpochSecond() + (due.getNano() > 0 ? 1 : 0);
    return Instant.ofEpochSecond(Math.ceilDiv(seconds, step) * step);
  }
}
