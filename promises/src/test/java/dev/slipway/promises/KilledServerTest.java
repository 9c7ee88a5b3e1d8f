package dev.slipway.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.promises.Scenario.Life;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.PostgresProxy.Transaction;
import dev.slipway.testbed.TestDatabase;
import dev.slipway.testbed.TestPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server is killed ({@code kill -9}) at every transaction of a life: once when the database does
 * not have it yet, once when it has it and the server does not know. Which transactions there are
 * is learnt by watching one life first, so that none can be forgotten. After each kill the server
 * is started again, the client asks again, and history must be as if nothing had happened.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KilledServerTest {
  private static final Duration A_LIFE = Duration.ofSeconds(60);

  /** On which side of the commit. */
  enum Side {
    BEFORE,
    AFTER
  }

  @TempDir static Path directory;
  private final TestDatabase database = TestPostgres.freshDatabase();
  private final PostgresProxy proxy = PostgresProxy.of(database);
  private final AtomicInteger numbers = new AtomicInteger();
  private Witness witness;
  private Yard yard;
  private Replica replica;
  private Client client;

  @BeforeAll
  void start() throws IOException {
    witness = new Witness();
    yard = new Yard(directory, database, witness);
    replica = new Replica(directory.resolve("a"), yard.config(), proxy.through(database)).start();
    client = new Client(() -> replica);
  }

  @AfterAll
  void stop() {
    proxy.watch(PostgresProxy.CommitWatch.NONE);
    replica.close();
    proxy.close();
    witness.close();
  }

  @ParameterizedTest
  @EnumSource
  void a_life_goes_on_after_a_kill_at_any_commit(Scenario scenario) {
    List<Point> missed = new ArrayList<>();
    int kills = 0;
    for (Point point : learn(scenario)) {
      if (killedAt(scenario, point) || killedAt(scenario, point)) {
        kills++;
      } else {
        missed.add(point);
      }
    }
    System.out.printf("%s: %d kills, not met again: %s%n", scenario, kills, missed);
    assertThat(missed).as("first commits of their kind").noneMatch(p -> p.occurrence() == 1);
  }

  /** The moment of a kill: the n-th commit of a kind, and on which side of it. */
  record Point(String commit, int occurrence, Side side) {
    /** Claims and log lines come as often as time allows: the first ones stand for the others. */
    boolean matters() {
      return switch (commit) {
        case "update runs" -> occurrence <= 2;
        case "insert step_logs" -> occurrence == 1;
        default -> true;
      };
    }
  }

  /** What is committed in a life that nobody disturbs. */
  private Set<Point> learn(Scenario scenario) {
    Set<Point> points = new LinkedHashSet<>();
    Life life = prepared(scenario);
    Counter counter = new Counter();
    proxy.watch(
        new PostgresProxy.CommitWatch() {
          @Override
          public void before(Transaction transaction) {
            counter.next(transaction, Side.BEFORE).filter(Point::matters).ifPresent(points::add);
          }

          @Override
          public void after(Transaction transaction) {
            counter.same(transaction, Side.AFTER).filter(Point::matters).ifPresent(points::add);
          }
        });
    live(scenario, life);
    proxy.watch(PostgresProxy.CommitWatch.NONE);
    check(scenario, life);
    assertThat(points).isNotEmpty();
    return points;
  }

  /** One life with a kill; whether that moment came. */
  private boolean killedAt(Scenario scenario, Point point) {
    Life life = prepared(scenario);
    Trap trap = new Trap(point);
    proxy.watch(trap);
    live(scenario, life);
    proxy.watch(PostgresProxy.CommitWatch.NONE);
    check(scenario, life);
    return trap.sprung;
  }

  private Life prepared(Scenario scenario) {
    Life life = new Life(scenario.type + "-" + numbers.incrementAndGet());
    until(() -> scenario.prepare(client, life), scenario, life);
    return life;
  }

  private void live(Scenario scenario, Life life) {
    until(() -> scenario.act(client, life), scenario, life);
    if (!replica.alive()) {
      replica.start();
    }
  }

  private interface Act {
    boolean done() throws IOException;
  }

  private void until(Act act, Scenario scenario, Life life) {
    Instant limit = Instant.now().plus(A_LIFE);
    while (Instant.now().isBefore(limit)) {
      try {
        if (act.done()) {
          return;
        }
        TimeUnit.MILLISECONDS.sleep(10);
      } catch (IOException e) {
        if (!replica.alive()) {
          replica.start();
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    throw new AssertionError(
        scenario
            + " does not come to its end: "
            + yard.rows(
                "SELECT state, owner, claimable_at, epoch, error FROM runs WHERE application = ?",
                life.application)
            + "\n"
            + replica.log());
  }

  private void check(Scenario scenario, Life life) {
    Map<String, Set<String>> effects = witness.effects(life.application);
    assertThat(effects.keySet())
        .as("effects of " + life.application)
        .isEqualTo(scenario.effects.keySet());
    scenario.effects.forEach(
        (effect, keys) ->
            assertThat(effects.get(effect)).as(effect + " of " + life.application).hasSize(keys));
    History.check(yard, life.application, scenario.end);
  }

  /** Counts commits by kind. */
  private static final class Counter {
    private final Map<String, Integer> seen = new HashMap<>();
    private final Map<Long, Point> numbered = new HashMap<>();

    synchronized Optional<Point> next(Transaction transaction, Side side) {
      if (!Commit.counts(transaction)) {
        return Optional.empty();
      }
      String commit = Commit.label(transaction);
      Point point = new Point(commit, seen.merge(commit, 1, Integer::sum), side);
      numbered.put(transaction.number(), point);
      return Optional.of(point);
    }

    synchronized Optional<Point> same(Transaction transaction, Side side) {
      return Optional.ofNullable(numbered.get(transaction.number()))
          .map(point -> new Point(point.commit(), point.occurrence(), side));
    }
  }

  /** Kills the server at one moment. */
  private final class Trap implements PostgresProxy.CommitWatch {
    private final Point point;
    private final Counter counter = new Counter();
    volatile boolean sprung;

    Trap(Point point) {
      this.point = point;
    }

    @Override
    public void before(Transaction transaction) {
      counter.next(transaction, Side.BEFORE).ifPresent(this::spring);
    }

    @Override
    public void after(Transaction transaction) {
      counter.same(transaction, Side.AFTER).ifPresent(this::spring);
    }

    private synchronized void spring(Point now) {
      if (!sprung && now.equals(point)) {
        sprung = true;
        replica.kill();
        if (point.side() == Side.BEFORE) {
          proxy.cut(); // or the commit would still arrive after the death of its sender
        }
      }
    }
  }
}
