package dev.slipway.applications.observe;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * How many looks this replica begins, and when it begins those for which there is no room now. A
 * provider that does not answer fills its own share; looks that the schedule makes leave room for
 * looks that someone waits for, such as a gate. In memory: the runs of a replica that has gone are
 * ended by others.
 */
public final class LookBudget {
  private final Limits limits;
  private final Map<UUID, String> underWay = new HashMap<>();
  private Instant second = Instant.EPOCH;
  private int begun;
  private Instant lastSlot = Instant.EPOCH;

  /**
   * How many looks may be under way.
   *
   * @param ofSchedule while so many are, the schedule begins none
   */
  public record Limits(int all, int ofSchedule, int ofProvider) {
    /** A small part of the runs that a replica holds. */
    public static final Limits DEFAULT = new Limits(64, 32, 32);
  }

  public LookBudget(Limits limits) {
    this.limits = limits;
  }

  /** Why a look begins. */
  public enum Cause {
    SCHEDULE,
    /** A run has ended, or a gate waits. */
    ASKED
  }

  /** The answer. */
  public sealed interface Admission {
    record Begin() implements Admission {}

    /** Not before that; until then others of those that were put off have their time. */
    record PutOff(Instant until) implements Admission {}
  }

  /** Before anything is read about the resource. */
  public synchronized Admission admit(LookPlan plan, Cause cause, Instant now) {
    int most =
        switch (cause) {
          case SCHEDULE -> limits.ofSchedule();
          case ASKED -> limits.all();
        };
    boolean inTime = cause == Cause.ASKED || begunIn(now) < plan.perSecond();
    return inTime && underWay.size() < most ? new Admission.Begin() : putOff(plan, now);
  }

  /** When the provider is known, whose looks may all hang. */
  public synchronized Admission admit(LookPlan plan, String provider, Instant now) {
    long ofProvider = underWay.values().stream().filter(provider::equals).count();
    return ofProvider < limits.ofProvider() ? new Admission.Begin() : putOff(plan, now);
  }

  /** Each has a moment of its own, one step after the other, at most one interval ahead. */
  private Admission putOff(LookPlan plan, Instant now) {
    Instant earliest = lastSlot.isAfter(now) ? lastSlot : now;
    Instant slot = earliest.plus(plan.step());
    lastSlot = slot.isAfter(now.plus(plan.interval())) ? now.plus(plan.step()) : slot;
    return new Admission.PutOff(lastSlot);
  }

  private int begunIn(Instant now) {
    Instant current = Instant.ofEpochSecond(now.getEpochSecond());
    if (!current.equals(second)) {
      second = current;
      begun = 0;
    }
    return begun;
  }

  public synchronized void begun(UUID run, String provider, Instant now) {
    begun = begunIn(now) + 1;
    underWay.put(run, provider);
  }

  public synchronized void ended(Collection<UUID> runs) {
    underWay.keySet().removeAll(runs);
  }

  /** Those that this replica has begun and whose end it has not heard of. */
  public synchronized Set<UUID> underWay() {
    return Set.copyOf(underWay.keySet());
  }

  /** Whether some of those have to end before the next one begins. */
  public synchronized boolean full() {
    return underWay.size() >= limits.ofSchedule();
  }
}
