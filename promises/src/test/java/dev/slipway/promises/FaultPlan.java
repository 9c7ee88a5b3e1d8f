package dev.slipway.promises;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.slipway.engine.execute.EngineSettings;
import dev.slipway.engine.execute.RunStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * What happens to three replicas and when, derived from a seed alone. It goes in rounds: one
 * replica is killed, another stands still for longer than a lease or loses the database, and the
 * third loses its connections in passing. So there is always one replica that must go on.
 */
record FaultPlan(List<List<Fault>> rounds) {
  /** Longer than the lease of the fleet, which has what suits most. */
  private static final int STANDSTILL =
      (int) EngineSettings.of(new RunStore.Owner("any", "any")).lease().plusSeconds(1).toMillis();

  /** What can happen. */
  enum Kind {
    /** {@code kill -9}, and a new start after a while. */
    KILL,
    /** SIGSTOP, and SIGCONT after a while. */
    FREEZE,
    /** The way to the database lets nothing through for a while. */
    STALL,
    /** The database cannot be reached for a while. */
    AWAY,
    /** All connections break once. */
    CUT
  }

  /** One fault: when in its round, to whom, for how long. */
  record Fault(Duration at, Kind kind, int replica, Duration lasting) {}

  static FaultPlan of(RandomGenerator random, int rounds) {
    List<List<Fault>> plan = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      plan.add(round(random, i));
    }
    return new FaultPlan(plan);
  }

  /** How many of each kind. */
  Map<Kind, Long> counts() {
    return rounds.stream()
        .flatMap(List::stream)
        .collect(groupingBy(Fault::kind, () -> new EnumMap<>(Kind.class), counting()));
  }

  private static List<Fault> round(RandomGenerator random, int number) {
    List<Integer> who = new ArrayList<>(List.of(0, 1, 2));
    for (int i = who.size() - 1; i > 0; i--) {
      Collections.swap(who, i, random.nextInt(i + 1));
    }
    // Both ways of coming back take turns: at once by itself, or later than others take over.
    int gone = number % 2 == 0 ? random.nextInt(20_000, 23_000) : random.nextInt(100, 3_000);
    List<Kind> still = Arrays.asList(Kind.FREEZE, Kind.STALL, Kind.AWAY);
    List<Fault> faults = new ArrayList<>();
    faults.add(fault(random.nextInt(500, 3_000), Kind.KILL, who.get(0), gone));
    faults.add(
        fault(
            random.nextInt(0, 3_000),
            still.get(number % still.size()),
            who.get(1),
            STANDSTILL + random.nextInt(3_000)));
    for (int i = 0; i < 2; i++) {
      faults.add(fault(random.nextInt(1_000, 20_000), Kind.CUT, who.get(2), 0));
    }
    return faults;
  }

  private static Fault fault(int at, Kind kind, int replica, int lasting) {
    return new Fault(Duration.ofMillis(at), kind, replica, Duration.ofMillis(lasting));
  }
}
