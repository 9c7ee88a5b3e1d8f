package dev.slipway.promises;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.promises.FaultPlan.Fault;
import dev.slipway.promises.Fleet.Ship;
import dev.slipway.promises.Launches.Launch;
import dev.slipway.testbed.PostgresVersion;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three server processes share one PostgreSQL, the oldest supported, under load, at their default
 * settings, while they are killed, frozen and cut off. {@code -Dpromises.minutes} makes it last,
 * {@code -Dpromises.seed} repeats a plan.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("proof")
class ReplicasTest {
  private static final Duration TAKEN_OVER = Duration.ofSeconds(20);
  private static final Duration TO_THE_END = Duration.ofSeconds(90);
  private static final Duration SHORTLY_GONE = Duration.ofSeconds(20);
  private static final Duration LONG_GONE = Duration.ofSeconds(60);
  private static final int SECONDS_A_ROUND = 25;
  private static final int SHARED = 90;

  /** What a dying server has sent may still arrive. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  /** The time of a replica is the database's, and as exact as one question to it takes. */
  private static final Duration CLOCKS = Duration.ofMillis(50);

  private static final String FAILED = "SELECT id, error FROM runs WHERE state = 'failed'";

  /** When it fails, what the servers said is kept there. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path directory;

  private final TestDatabase database = TestPostgres.freshDatabase(PostgresVersion.OLDEST);
  private final Queue<Orphan> orphans = new ConcurrentLinkedQueue<>();
  private final List<String> happened = new ArrayList<>();
  private final List<String> checked = new ArrayList<>();
  private final Jumps jumps = Jumps.watching();
  private Launches launches;
  private Yard yard;
  private Fleet fleet;

  @BeforeAll
  void start() throws IOException {
    Trial.announce(getClass());
    launches = new Launches(directory.resolve("witness"));
    yard = new Yard(directory, database, new Witness());
    fleet = new Fleet(directory, database, launches);
  }

  /** When no server is left that could launch anything, all launches are judged once more. */
  @AfterAll
  void stop() throws IOException {
    try {
      fleet.close();
      eachOnce(checked);
    } finally {
      System.out.println("promises: " + jumps);
      jumps.close();
      yard.close();
      launches.close();
    }
  }

  @Test
  void replicas_that_are_killed_frozen_and_cut_off_lose_nothing_and_do_nothing_twice()
      throws IOException {
    int rounds = Math.max(2, Trial.MINUTES * 60 / SECONDS_A_ROUND);
    FaultPlan plan = FaultPlan.of(new Random(Trial.SEED), rounds);
    System.out.println(plan);
    Load load =
        Trial.isLong()
            ? new Load(fleet, "ship", 12, Duration.ofMillis(300))
            : new Load(fleet, "ship", 3, Duration.ofMillis(600));
    int done = 0;
    for (List<Fault> round : plan.rounds()) {
      CompletableFuture.allOf(round.stream().map(this::happen).toArray(CompletableFuture[]::new))
          .join();
      System.out.printf("round %d of %d: %d accepted%n", ++done, rounds, load.accepted().size());
    }
    load.close();
    check(load.accepted());
    Duration longest = takenOverInTime();
    System.out.printf(
        "promises: %s under %s: %d runs, none lost, %d double launches; longest from a kill to the"
            + " next call %.1f s of %d runs%n",
        Fleet.SIZE + " replicas",
        plan.counts(),
        load.accepted().size(),
        launches.doubles().size(),
        longest.toMillis() / 1e3,
        orphans.size());
  }

  /**
   * Fair: whichever replica takes the requests, each does at least half of what an equal part would
   * be.
   */
  @Test
  void replicas_share_the_work_fairly_though_one_is_asked_for_all_of_it() throws IOException {
    fleet.awaitAcquainted();
    List<String> accepted = IntStream.range(0, SHARED).mapToObj(i -> "fair-" + i).toList();
    try (ExecutorService clients = Executors.newFixedThreadPool(6)) {
      CompletableFuture.allOf(
              accepted.stream()
                  .map(a -> CompletableFuture.runAsync(() -> deployAtTheFirst(a), clients))
                  .toArray(CompletableFuture[]::new))
          .join();
    }
    check(accepted);
    Map<String, Integer> parts = new TreeMap<>();
    fleet.ships().forEach(s -> parts.put(s.name, 0));
    for (Launch launch : launches.all()) {
      if (launch.step().equals("script") && launch.application().startsWith("fair-")) {
        parts.merge(ship(launch).name, 1, Integer::sum);
      }
    }
    System.out.println("promises: runs of each replica: " + parts);
    assertThat(parts.values())
        .as("runs of each replica: " + parts)
        .allMatch(n -> n >= SHARED / Fleet.SIZE / 2);
  }

  @Test
  void without_the_database_calls_are_refused_with_a_reason_and_afterwards_nothing_is_missing()
      throws IOException {
    List<Long> processes = fleet.ships().stream().map(s -> s.replica.pid()).toList();
    Load load = new Load(fleet, "dry", 3, Duration.ofMillis(400));
    await().atMost(TO_THE_END).until(() -> load.accepted().size() >= 5);
    Duration gone = Trial.isLong() ? LONG_GONE : SHORTLY_GONE;
    fleet.ships().forEach(s -> s.proxy.goAway());
    try {
      Instant back = Instant.now().plus(gone);
      while (Instant.now().isBefore(back)) {
        CompletableFuture.allOf(
                fleet.ships().stream()
                    .map(s -> CompletableFuture.runAsync(() -> refusedWithReason(s), VIRTUAL))
                    .toArray(CompletableFuture[]::new))
            .join();
      }
    } finally {
      fleet.ships().forEach(s -> s.proxy.comeBack());
      fleet.changed();
    }
    int before = load.accepted().size();
    await().atMost(TO_THE_END).until(() -> load.accepted().size() >= before + 5);
    load.close();

    check(load.accepted());
    // A key that was taken when the database went is freed a moment after its return, not before.
    assertThat(load.refusals())
        .anyMatch(r -> r.status() == 503)
        .allMatch(r -> r.status() == 503 || r.body().contains("problem:still-running"));
    assertThat(fleet.ships()).extracting(s -> s.replica.pid()).isEqualTo(processes);
    System.out.printf(
        "promises: %d s without the database: %d accepted and none lost, %d refusals%n",
        gone.toSeconds(), load.accepted().size(), load.refusals().size());
  }

  /** Asks again, with the same key, when that replica has too much to do. */
  private void deployAtTheFirst(String application) {
    Client client = new Client(() -> fleet.ships().getFirst().replica);
    await()
        .atMost(TO_THE_END)
        .pollDelay(Duration.ZERO)
        .until(
            () ->
                client
                    .post(
                        "/api/applications",
                        "application/yaml",
                        Yard.score(application, "crate"),
                        application)
                    .status(),
            status -> status / 100 == 2);
  }

  /** It takes as long as a server waits for a connection. */
  private static void refusedWithReason(Ship ship) {
    Client client = new Client(() -> ship.replica);
    try {
      Client.Answer list = client.get("/api/applications");
      assertThat(list.status()).as(list.body()).isEqualTo(503);
      assertThat(list.json()).containsEntry("type", "urn:slipway:problem:database-away");
      Client.Answer ready = client.get("/ready");
      assertThat(ready.status()).as(ready.body()).isEqualTo(503);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final Executor VIRTUAL = task -> Thread.ofVirtual().start(task);

  private Ship ship(Launch launch) {
    return fleet.ships().stream()
        .filter(s -> launch.place().startsWith(s.replica.data() + "/"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("a stranger launched " + launch));
  }

  /** Lets it happen at its time, and mends it after its time. */
  private CompletableFuture<Void> happen(Fault fault) {
    Ship ship = fleet.ships().get(fault.replica());
    return CompletableFuture.runAsync(() -> begin(fault.kind(), ship), after(fault.at()))
        .thenRunAsync(() -> mend(fault.kind(), ship), after(fault.lasting()));
  }

  private static Executor after(Duration time) {
    return CompletableFuture.delayedExecutor(time.toMillis(), TimeUnit.MILLISECONDS, VIRTUAL);
  }

  private void begin(FaultPlan.Kind kind, Ship ship) {
    synchronized (happened) {
      happened.add(Instant.now() + " " + kind + " of " + ship.name);
    }
    switch (kind) {
      case KILL -> kill(ship);
      case FREEZE -> {
        ship.afloat = false;
        ship.replica.freeze();
      }
      case STALL -> ship.proxy.freeze();
      case AWAY -> ship.proxy.goAway();
      case CUT -> ship.proxy.cut();
    }
  }

  private void mend(FaultPlan.Kind kind, Ship ship) {
    switch (kind) {
      case KILL -> ship.replica.start();
      case FREEZE -> ship.replica.thaw();
      case STALL -> ship.proxy.thaw();
      case AWAY -> ship.proxy.comeBack();
      case CUT -> {}
    }
    ship.afloat = true;
    fleet.changed();
  }

  /** Kills it while it has something to do, so that others have something to take over. */
  private void kill(Ship ship) {
    await().atMost(TO_THE_END).pollDelay(Duration.ZERO).until(() -> !runsOf(ship).isEmpty());
    ship.afloat = false;
    ship.replica.kill();
    Instant killed = Instant.now();
    runsOf(ship).forEach(run -> orphans.add(new Orphan(run, killed)));
  }

  /** A run, as "application epoch", whose replica was killed. */
  private record Orphan(String run, Instant killed) {
    String application() {
      return run.split(" ")[0];
    }
  }

  private List<String> runsOf(Ship ship) {
    try {
      return yard.rows(
          "SELECT application, epoch FROM runs WHERE state = 'running' AND owner LIKE ?",
          ship.owner() + "/%");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Everything that was accepted is there, came to its end, and happened once. */
  private void check(List<String> accepted) throws IOException {
    await()
        .atMost(TO_THE_END)
        .failFast("a run failed", () -> !yard.rows(FAILED).isEmpty())
        .pollInterval(Duration.ofMillis(500))
        .untilAsserted(
            () ->
                assertThat(
                        yard.rows(
                            "SELECT application, state, owner, claimable_at, error FROM runs"
                                + " WHERE state <> 'succeeded' ORDER BY id LIMIT 5"))
                    .as("runs that do not come to their end; " + happened)
                    .isEmpty());
    for (String application : accepted) {
      await()
          .atMost(TO_THE_END)
          .pollDelay(Duration.ZERO) // there are thousands, and most are right at once
          .untilAsserted(() -> History.check(yard, application, "active"));
    }
    eachOnce(accepted);
    checked.addAll(accepted);
  }

  /** Judges every launch so far. */
  private void eachOnce(List<String> applications) throws IOException {
    Map<String, List<Launch>> byApplication =
        launches.all().stream().collect(Collectors.groupingBy(Launch::application));
    for (String application : applications) {
      once(application, byApplication.getOrDefault(application, List.of()));
    }
    assertThat(launches.doubles())
        .as("launched twice at the same time; %s; %s", happened, jumps)
        .isEmpty();
  }

  /**
   * Each step under one key, launched at most as often as the run was taken up, and never after its
   * end: a replica that was frozen meanwhile finds it done.
   */
  private void once(String application, List<Launch> mine) {
    int epochs =
        Integer.parseInt(
            yard.rows("SELECT max(epoch) FROM runs WHERE application = ?", application).getFirst());
    Map<String, Instant> ends = ends(application);
    Map<String, Set<String>> keys = new TreeMap<>();
    Map<String, Integer> times = new TreeMap<>();
    for (Launch launch : mine) {
      keys.computeIfAbsent(launch.step(), s -> new TreeSet<>()).add(launch.key());
      times.merge(launch.key(), 1, Integer::sum);
    }
    assertThat(keys.keySet()).as(application).containsExactly("first", "last", "script");
    assertThat(keys.values()).as("keys of " + application).allMatch(k -> k.size() == 1);
    assertThat(times.values())
        .as("launches of %s, which was taken up %d times: %s", application, epochs, mine)
        .allMatch(n -> n <= epochs);
    assertThat(mine)
        .as(
            "launches of %s after the end of their steps %s; %s; %s",
            application, ends, happened, jumps)
        .noneMatch(l -> later(l.at(), ends.get(l.step())));
  }

  /** Whether a launch was after the end, whatever clocks did meanwhile. */
  private boolean later(Instant launch, Instant end) {
    return launch.isAfter(end.plus(CLOCKS).plus(jumps.between(end, launch)));
  }

  /** When each step ended, by its name. */
  private Map<String, Instant> ends(String application) {
    return yard
        .rows(
            "SELECT s.name, extract(epoch FROM s.finished_at) FROM steps s"
                + " JOIN runs r ON r.id = s.run_id WHERE r.application = ?",
            application)
        .stream()
        .map(row -> row.split(" "))
        .collect(Collectors.toMap(row -> row[0], row -> seconds(row[1])));
  }

  private static Instant seconds(String text) {
    return Instant.EPOCH.plusNanos(new BigDecimal(text).movePointRight(9).longValueExact());
  }

  /** The longest time that a run waited for its next owner. */
  private Duration takenOverInTime() throws IOException {
    List<Launch> all = launches.all();
    Map<Orphan, Duration> waits = new HashMap<>();
    for (Orphan orphan : orphans) {
      String application = orphan.application();
      Instant dead = orphan.killed().plus(LAST_WORDS);
      all.stream()
          .filter(l -> l.application().equals(application) && l.at().isAfter(dead))
          .map(Launch::at)
          .min(Comparator.naturalOrder())
          .ifPresentOrElse(
              next -> waits.put(orphan, jumps.elapsed(orphan.killed(), next)),
              () ->
                  assertThat(taken(application))
                      .as("its end was on its way")
                      .contains(orphan.run()));
    }
    assertThat(waits).as("runs that lost their replica").isNotEmpty();
    assertThat(waits)
        .as("time to the next call; %s; %s", happened, jumps)
        .allSatisfy((orphan, wait) -> assertThat(wait).isLessThanOrEqualTo(TAKEN_OVER));
    return Collections.max(waits.values());
  }

  private List<String> taken(String application) {
    return yard.rows("SELECT application, epoch FROM runs WHERE application = ?", application);
  }
}
