package dev.slipway.applications.faults;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.workflow.StepType;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jdbi.v3.core.Jdbi;

/** Does the steps of all replicas and remembers who asked for what under which key. */
final class Witness {
  /** How the run stands in the database when a step begins. */
  private record Stored(long epoch, Optional<Instant> leaseUntil, String state, int attempt) {}

  /** A call that goes on; one in time began well within the lease of its owner. */
  private static final class Executing {
    final StepCall call;
    boolean inTime;

    Executing(StepCall call) {
      this.call = call;
    }
  }

  /** Time does not stop for a step that begins later than this before the end of its lease. */
  private static final Duration LATE = Duration.ofSeconds(2);

  private final long seed;
  private final Jdbi jdbi;
  private final Ticks ticks;
  private final List<Executing> executing = new ArrayList<>();
  private final Map<String, Long> lastEpoch = new HashMap<>();
  private final Set<String> effects = new HashSet<>();
  private final Set<String> lines = new HashSet<>();
  private final List<String> violations = new ArrayList<>();

  Witness(long seed, Jdbi jdbi, Ticks ticks) {
    this.seed = seed;
    this.jdbi = jdbi;
    this.ticks = ticks;
  }

  synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  /** Keys under which something happened. */
  synchronized Set<String> effects() {
    return Set.copyOf(effects);
  }

  /** What was said, as {@code key by epoch}, by those who came to their end. */
  synchronized Set<String> lines() {
    return Set.copyOf(lines);
  }

  /** Whether that run's owner of that epoch executes something. */
  synchronized boolean executes(UUID run, long epoch) {
    return executing.stream().anyMatch(e -> e.call.run().equals(run) && e.call.epoch() == epoch);
  }

  static String nameOf(StepCall call) {
    String key = call.key();
    return key.substring(key.indexOf('/') + 1, key.lastIndexOf('/'));
  }

  private void check(boolean holds, String rule, Object... about) {
    if (!holds) {
      violations.add(rule.formatted(about));
    }
  }

  private void begins(StepCall call) {
    Executing begun = new Executing(call);
    synchronized (this) {
      executing.add(begun);
    }
    Stored stored = stored(call);
    boolean owner = stored.epoch() == call.epoch();
    Instant late = ticks.clock.instant().plus(LATE);
    boolean inTime = owner && stored.leaseUntil().filter(t -> t.isAfter(late)).isPresent();
    synchronized (this) {
      check(
          !owner || stored.state().equals("running") && stored.attempt() == call.attempt(),
          "%s acts before it is written that it does: %s",
          call.key(),
          stored);
      Long last = lastEpoch.merge(call.key(), call.epoch(), Math::max);
      if (inTime) {
        inOrder(call, last);
      }
      begun.inTime = inTime;
    }
  }

  private void inOrder(StepCall call, long last) {
    for (Executing other : executing) {
      check(
          !other.inTime || !other.call.key().equals(call.key()),
          "%s executes for epoch %d while it executes for epoch %d",
          call.key(),
          call.epoch(),
          other.call.epoch());
    }
    boolean first = effects.add("begun " + call.key());
    switch (call.origin()) {
      case FRESH -> check(first, "%s is executed as if for the first time, again", call.key());
      case RECOVERED ->
          check(
              effects.add("begun " + call.key() + " by " + call.epoch()) && last <= call.epoch(),
              "%s is repeated by the same owner or an earlier one",
              call.key());
      case RESUMED -> {}
    }
  }

  private Stored stored(StepCall call) {
    return jdbi.withHandle(
        h ->
            h.createQuery(
                    """
                    SELECT r.epoch, r.claimable_at, coalesce(s.state, 'pending') AS state,
                           coalesce(s.attempt, 0) AS attempt
                      FROM runs r LEFT JOIN steps s ON s.run_id = r.id AND s.name = :step
                     WHERE r.id = :run
                    """)
                .bind("run", call.run())
                .bind("step", nameOf(call))
                .map(
                    (rs, _) ->
                        new Stored(
                            rs.getLong("epoch"),
                            Optional.ofNullable(rs.getObject("claimable_at", OffsetDateTime.class))
                                .map(OffsetDateTime::toInstant),
                            rs.getString("state"),
                            rs.getInt("attempt")))
                .one());
  }

  private synchronized void acts(StepCall call) {
    check(
        effects.add(call.key() + " by " + call.epoch()),
        "%s has its effect twice, for the same owner",
        call.key());
    effects.add(call.key());
  }

  private synchronized void ends(StepCall call) {
    executing.removeIf(e -> e.call == call);
  }

  private synchronized void said(String line) {
    lines.add(line);
  }

  /** Takes its time, changes the world in the middle, and ends well or not. */
  final class Hands implements StepExecutor {
    @Override
    public StepType type() {
      return new StepType("work", Set.of(), List.of(), 1, StepType.Code.NONE);
    }

    @Override
    public Result execute(StepCall call) throws InterruptedException {
      try {
        begins(call);
        Random fate = new Random(seed * 31 + call.key().hashCode());
        Duration half = half(nameOf(call), fate);
        ticks.until(ticks.clock.instant().plus(half));
        acts(call);
        String line = call.key() + " by " + call.epoch();
        call.log().line(StepLog.Stream.NOTE, line);
        ticks.until(ticks.clock.instant().plus(half));
        said(line);
        return result(call);
      } finally {
        ends(call);
      }
    }

    private Duration half(String step, Random fate) {
      int chance = step.equals("long") ? 9 : fate.nextInt(10);
      return Duration.ofSeconds(chance < 5 ? 0 : chance < 9 ? fate.nextInt(4) : fate.nextInt(40));
    }

    private Result result(StepCall call) {
      String step = nameOf(call);
      int often = 1 + Math.floorMod(call.run().hashCode(), 3);
      if (step.equals("flaky") && call.attempt() < often) {
        return new Result.Failed(StepError.passing("shaky", "try again", null), Map.of());
      }
      return step.equals("bad")
          ? new Result.Failed(StepError.permanent("broken", "it is broken", null), Map.of())
          : new Result.Succeeded(Map.of(), Set.of());
    }
  }
}
