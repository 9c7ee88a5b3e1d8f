package dev.slipway.kubernetes.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which owners of changed objects are looked at now: each at once, and one that changes without end
 * no more often than a look every ten seconds. Changes before a look begins share it. In memory,
 * one entry for each owner that changed in the last minute.
 */
public final class OwnerBudget {
  private static final Duration BETWEEN = Duration.ofSeconds(10);

  /** So many may follow each other at once. */
  private static final int BURST = 5;

  /** When all that was taken has been made up for. */
  private final Map<String, Instant> paidOff = new HashMap<>();

  private final Map<String, Instant> waiting = new LinkedHashMap<>();

  /** Something of that owner has changed. */
  public synchronized void add(String owner, Instant now) {
    Instant paid = paidOff.getOrDefault(owner, now);
    Instant due = paid.minus(BETWEEN.multipliedBy(BURST - 1L));
    waiting.putIfAbsent(owner, due.isAfter(now) ? due : now);
  }

  /** Those to be looked at now. */
  public synchronized List<String> take(Instant now) {
    paidOff.values().removeIf(paid -> !paid.isAfter(now));
    Set<String> due = new HashSet<>();
    waiting.forEach(
        (owner, at) -> {
          if (!at.isAfter(now)) {
            due.add(owner);
          }
        });
    waiting.keySet().removeAll(due);
    for (String owner : due) {
      paidOff.merge(owner, now.plus(BETWEEN), (paid, _) -> paid.plus(BETWEEN));
    }
    return new ArrayList<>(due);
  }

  /** When the next one is to be looked at. */
  public synchronized Optional<Instant> next() {
    return waiting.values().stream().min(Instant::compareTo);
  }
}
