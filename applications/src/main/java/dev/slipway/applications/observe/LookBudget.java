package dev.slipway.applications.observe;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * How many looks this replica may begin now. A provider that does not answer fills its own share;
 * looks that the schedule makes leave room for those that are asked for, which a gate may wait for.
 * In memory: the runs of a replica that has gone are ended by others.
 */
public final class LookBudget {
  private final Limits limits;
  private final Map<UUID, String> underWay = new HashMap<>();
  private Instant windowBegan = Instant.EPOCH;
  private int begun;

  /**
   * How many looks may be under way.
   *
   * @param ofSchedule while so many are, the schedule begins none
   */
  public record Limits(int all, int ofSchedule, int ofProvider) {
    /** A small part of the runs that a replica holds. */
    public static final Limits DEFAULT = new Limits(96, 64, 48);
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

  /** How many looks may begin for that cause, before anything is read about the resources. */
  public synchronized int room(LookPlan plan, Cause cause, Instant now) {
    int room =
        switch (cause) {
          case SCHEDULE ->
              Math.min(limits.ofSchedule() - underWay.size(), plan.perPause() - begunIn(plan, now));
          case ASKED -> limits.all() - underWay.size();
        };
    return Math.max(0, room);
  }

  /** Whether the provider, whose looks may all hang, has room for one more. */
  public synchronized boolean admits(String provider) {
    return underWay.values().stream().filter(provider::equals).count() < limits.ofProvider();
  }

  public synchronized void begun(LookPlan plan, UUID run, String provider, Instant now) {
    begun = begunIn(plan, now) + 1;
    underWay.put(run, provider);
  }

  /** Counted anew for each time that a shard rests, since its next turn begins what is due. */
  private int begunIn(LookPlan plan, Instant now) {
    if (now.isBefore(windowBegan) || !now.isBefore(windowBegan.plus(plan.window()))) {
      windowBegan = now;
      begun = 0;
    }
    return begun;
  }

  public synchronized void ended(Collection<UUID> runs) {
    underWay.keySet().removeAll(runs);
  }

  /** Those that this replica has begun and whose end it has not heard of. */
  public synchronized Set<UUID> underWay() {
    return Set.copyOf(underWay.keySet());
  }

  /** Whether so many are under way that a share may be full. */
  public synchronized boolean full() {
    return underWay.size() >= Math.min(limits.ofSchedule(), limits.ofProvider());
  }
}
