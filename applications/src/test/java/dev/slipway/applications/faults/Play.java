package dev.slipway.applications.faults;

import static java.util.stream.Collectors.toUnmodifiableSet;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.postgres.access.Approval.Decision;
import dev.slipway.postgres.runs.PostgresApprovalDesk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** One seed: two replicas, several runs of each life, an application, and what fails. */
final class Play implements AutoCloseable {
  private static final int EACH = 2;
  private static final int STORMY = 120;
  private static final int AWAY = 40;
  private static final int LONGEST = 4_000;

  /** A store with a planted defect may never finish its runs: its play ends without them. */
  private static final int LONGEST_WITH_FLAW = 400;

  /** A busy machine does less in a second of this clock: a play is given real time too. */
  private static final Duration AT_LEAST = Duration.ofMinutes(2);

  /** A play that has not ended in so much real time hangs, however busy the machine is. */
  private static final Duration AT_MOST = Duration.ofMinutes(10);

  private static final Duration AT_MOST_WITH_FLAW = Duration.ofMinutes(1);

  /** After so many seconds without its database a replica begins to stop its steps. */
  private static final int STEPS_STOP = 20;

  private static final int PATIENCE = 400;
  private static final int[] RATES = {20, 60, 120};

  final long seed;
  final Stage stage;
  final Flaw flaw;
  final Ticks ticks = new Ticks();
  final Witness witness;
  final History history;
  final Catalog catalog;
  private final Random random;
  private final List<Server> servers = new ArrayList<>();
  private final Map<UUID, Life> lives = new LinkedHashMap<>();
  private final Map<UUID, Integer> cancels = new LinkedHashMap<>();
  private int awayAt;
  private final Shop shop;

  Play(Stage stage, Path directory, long seed, Flaw flaw) throws IOException {
    this.seed = seed;
    this.shop = new Shop(this, seed);
    this.stage = stage;
    this.flaw = flaw;
    this.random = new Random(seed);
    this.witness = new Witness(seed, stage.direct.jdbi(), ticks);
    this.history = new History(stage.direct.jdbi(), Server.LEASE);
    this.catalog =
        new Catalog(
            Server.executors(this, new PostgresApprovalDesk(stage.direct.jdbi(), UUID::randomUUID)),
            directory);
    stage.clear();
    this.awayAt = 5 + random.nextInt(STORMY - AWAY - 5);
    int rate = RATES[(int) Math.floorMod(seed, (long) RATES.length)];
    for (int i = 0; i < Stage.REPLICAS; i++) {
      servers.add(new Server(this, stage.ways.get(i), "r" + i, new SeededFaults(seed, i, rate)));
    }
  }

  /** Plays to the end and answers what was wrong. */
  List<String> play() throws InterruptedException {
    for (int i = 0; i < EACH; i++) {
      for (Life life : Life.values()) {
        submit(life);
      }
    }
    boolean over = false;
    int second = 0;
    Instant began = Instant.now();
    while (!over && !tooLong(second, began) && (witness.violations().isEmpty() || goesOn(second))) {
      over = second(second++);
    }
    servers.forEach(s -> s.faults.end());
    close();
    List<String> found = new ArrayList<>(witness.violations());
    found.addAll(history.violations(catalog.workflows));
    if (found.isEmpty()) {
      found.addAll(history.leftovers(witness));
      found.addAll(wrongEnds());
      if (found.isEmpty() && !over) {
        found.add("it never ends: " + shop);
      }
    }
    return found;
  }

  private boolean tooLong(int second, Instant began) {
    Duration real = Duration.between(began, Instant.now());
    if (flaw != Flaw.NONE) {
      return second >= LONGEST_WITH_FLAW || real.compareTo(AT_MOST_WITH_FLAW) > 0;
    }
    return second >= LONGEST && real.compareTo(AT_LEAST) > 0 || real.compareTo(AT_MOST) > 0;
  }

  /** A defect made on purpose may be seen in other things before it is in itself. */
  private boolean goesOn(int second) {
    return flaw != Flaw.NONE && second < awayAt + 2 * AWAY;
  }

  /** The one that loses its database for longer than a lease. */
  private Server away() {
    return servers.get((int) Math.floorMod(seed, (long) servers.size()));
  }

  /** Whether a run with a write that is held has a new owner, which is executing it. */
  private boolean comesLate() {
    return away().faults.heldWrites().stream()
        .anyMatch(
            write ->
                text("SELECT count(*) FROM runs WHERE owner IS NOT NULL AND epoch > "
                        + write.epoch()
                        + " AND id = '"
                        + write.run()
                        + "'")
                    .equals("1"));
  }

  private boolean second(int number) throws InterruptedException {
    if (number == STORMY) {
      servers.forEach(s -> s.faults.calm());
    }
    if (number == awayAt) {
      away().faults.goAway();
    } else if (number == awayAt + AWAY || flaw == Flaw.NO_FENCING && comesLate()) {
      away().faults.comeBack();
    } else if (flaw == Flaw.NO_FENCING
        && number == awayAt + STEPS_STOP
        && away().faults.heldWrites().isEmpty()) {
      away().faults.comeBack();
      awayAt = number + 1;
    }
    ticks.tick();
    giveTimeToStop();
    answer();
    cancel(number);
    boolean closed = shop.goOn(servers.get(number % servers.size()));
    return closed && text("SELECT count(*) FROM runs WHERE finished_at IS NULL").equals("0");
  }

  /**
   * Time is quicker here than threads are: it stands still before the end of a lease whose owner
   * executes something, for as long as a worker needs to stop a step.
   */
  private void giveTimeToStop() throws InterruptedException {
    for (int i = 0; i < PATIENCE; i++) {
      if (leasesThatEnd().stream().noneMatch(held -> witness.executes(held.run, held.epoch))) {
        return;
      }
      ticks.rest();
    }
  }

  private record Lease(UUID run, long epoch) {}

  private List<Lease> leasesThatEnd() {
    Instant soon = ticks.clock.instant().plus(Duration.ofSeconds(1));
    return stage
        .direct
        .jdbi()
        .withHandle(
            h ->
                h.createQuery(
                        "SELECT id, epoch FROM runs WHERE owner IS NOT NULL AND claimable_at <= ?")
                    .bind(0, soon)
                    .map((rs, c) -> new Lease(rs.getObject(1, UUID.class), rs.getLong(2)))
                    .list());
  }

  // ---------------------------------------------------------------- what people do

  /** Asks until the run is there. */
  private void submit(Life life) {
    NewRun run =
        new NewRun(
            new UUID(random.nextLong(), random.nextLong()),
            NewRun.Kind.PLATFORM,
            catalog.of(life),
            null,
            NewRun.Subject.NONE,
            new NewRun.Tenancy("default", "team"),
            NewRun.Origin.NONE,
            NewRun.Inputs.NONE,
            new NewRun.Creation("somebody", ticks.clock.instant()),
            Duration.ofHours(24));
    lives.put(run.id(), life);
    if (life.cancelled()) {
      cancels.put(run.id(), 2 + random.nextInt(40));
    }
    boolean there = false;
    while (!there) {
      try {
        servers.get(random.nextInt(servers.size())).runs.insert(List.of(run));
        there = true;
      } catch (RuntimeException e) {
        there = text("SELECT count(*) FROM runs WHERE id = '" + run.id() + "'").equals("1");
      }
    }
  }

  /** Says yes or no to whatever is asked. */
  private void answer() {
    List<UUID[]> asked =
        stage
            .direct
            .jdbi()
            .withHandle(
                h ->
                    h.createQuery("SELECT id, run_id FROM approvals WHERE state = 'pending'")
                        .map(
                            (rs, c) ->
                                new UUID[] {
                                  rs.getObject(1, UUID.class), rs.getObject(2, UUID.class)
                                })
                        .list());
    for (UUID[] question : asked) {
      signalWithoutCause(question[1]);
      Life life = lives.get(question[1]);
      if (life.cancelled() || random.nextInt(8) > 0) {
        continue;
      }
      Decision decision = life == Life.REFUSED ? Decision.REJECT : Decision.APPROVE;
      try {
        servers
            .get(random.nextInt(servers.size()))
            .approvals
            .decide(question[0], "bob", decision, "", ticks.clock.instant());
      } catch (RuntimeException e) {
        // asked again, unless it was counted
      }
    }
  }

  /** A run that is woken without a reason looks and goes on waiting. */
  private void signalWithoutCause(UUID run) {
    for (Server server : servers) {
      try {
        server.runs.signal(run, ticks.clock.instant());
      } catch (RuntimeException e) {
        // nothing depends on it
      }
    }
  }

  private void cancel(int second) {
    cancels
        .entrySet()
        .removeIf(
            cancel -> {
              try {
                if (cancel.getValue() > second) {
                  return false;
                }
                servers
                    .get(random.nextInt(servers.size()))
                    .runs
                    .cancel(cancel.getKey(), RunStore.Cancel.REQUESTED, ticks.clock.instant());
                return true;
              } catch (RuntimeException e) {
                return false;
              }
            });
  }

  // ---------------------------------------------------------------- how it ends

  private List<String> wrongEnds() {
    List<String> wrong = new ArrayList<>();
    lives.forEach(
        (run, life) -> {
          String end =
              text(
                  "SELECT state || coalesce(' ' || error::text, '') FROM runs WHERE id = '"
                      + run
                      + "'");
          if (!life.ends.contains(end.split(" ")[0])) {
            wrong.add("%s run %s ends as %s".formatted(life, run, end));
          }
        });
    return wrong;
  }

  String text(String sql) {
    return stage
        .direct
        .jdbi()
        .withHandle(h -> h.createQuery(sql).mapTo(String.class).findOne().orElse("nothing"));
  }

  /** The faults that were injected, for the message of a failed test. */
  List<String> story() {
    return servers.stream().flatMap(s -> s.faults.struck().stream()).toList();
  }

  /** The same by what and how. */
  Set<SeededFaults.Strike> strikes() {
    return servers.stream().flatMap(s -> s.faults.strikes().stream()).collect(toUnmodifiableSet());
  }

  @Override
  public void close() {
    servers.forEach(Server::close);
  }
}
