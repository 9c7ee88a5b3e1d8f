package dev.slipway.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.PostgresProxy.Transaction;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server is killed ({@code kill -9}) at every transaction of a life: once when the database does
 * not have it yet, once when it has it and the server does not know. Which transactions there are
 * is learnt by watching one life first, so that none can be forgotten. After each kill the server
 * is started again, the client asks again, and history must be as if nothing had happened.
 */
@Execution(ExecutionMode.CONCURRENT)
class KilledServerTest {
  /** Also at the second and third commit of a kind: an hour rather than minutes. */
  private static final boolean EVERY = Boolean.getBoolean("promises.every");

  @TempDir Path directory;

  /** On which side of the commit. */
  enum Side {
    BEFORE,
    AFTER
  }

  /** The moment of a kill: the n-th commit of a kind, and on which side of it. */
  record Point(String commit, int occurrence, Side side) {
    /** Claims and log lines come as often as time allows: the first ones stand for the others. */
    boolean matters() {
      return switch (commit) {
        case "update runs" -> occurrence <= (EVERY ? 2 : 1);
        case "insert step_logs" -> occurrence == 1;
        default -> EVERY || occurrence == 1;
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_life_goes_on_after_a_kill_at_any_commit(Scenario scenario) throws IOException {
    try (Town town = new Town(directory)) {
      Instant began = Instant.now();
      List<Point> missed = new ArrayList<>();
      Set<Point> points = learn(town, scenario);
      for (Point point : points) {
        if (!killedAt(town, scenario, point) && !killedAt(town, scenario, point)) {
          missed.add(point);
        }
      }
      System.out.printf(
          "%s: %d kills in %d s, not met again: %s%n",
          scenario,
          points.size() - missed.size(),
          Duration.between(began, Instant.now()).toSeconds(),
          missed);
      assertThat(missed).as("first commits of their kind").noneMatch(p -> p.occurrence() == 1);
    }
  }

  /** What is committed in a life that nobody disturbs. */
  private static Set<Point> learn(Town town, Scenario scenario) {
    Set<Point> points = new LinkedHashSet<>();
    Counter counter = new Counter();
    town.life(
        scenario,
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
    assertThat(points).isNotEmpty();
    return points;
  }

  /** One life with a kill; whether that moment came. */
  private static boolean killedAt(Town town, Scenario scenario, Point point) {
    Trap trap = new Trap(town, point);
    town.life(scenario, trap);
    return trap.sprung;
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
  private static final class Trap implements PostgresProxy.CommitWatch {
    private final Town town;
    private final Point point;
    private final Counter counter = new Counter();
    volatile boolean sprung;

    Trap(Town town, Point point) {
      this.town = town;
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
        town.kill(point.side());
      }
    }
  }
}
