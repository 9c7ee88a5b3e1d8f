package dev.slipway.promises;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.PostgresProxy.Transaction;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server is killed ({@code kill -9}) at every transaction of a life: when the database does not
 * have it yet, or when it has it and the server does not know. Which transactions there are is
 * learnt by watching one life first, so that none can be forgotten. After each kill the server is
 * started again, the client asks again, and history must be as if nothing had happened.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class KilledServerTest {
  /**
   * A server is killed in each of them, beside the others: as many as a small machine has cores.
   */
  private static final int TOWNS = 2;

  private static final String LOG_LINES = "insert step_logs";

  /**
   * What was learnt once need not come again: two ends may share a transaction, and a look for work
   * may find that another has done it. So many tries; of each kind of commit the first one must be
   * met, how often it comes is up to time.
   */
  private static final int TRIES = 3;

  private static final int TRIES_OF_THE_FIRST = 12;

  @TempDir static Path directory;
  private final List<Town> towns = new ArrayList<>();
  private final List<Kill> kills = new ArrayList<>();
  private final Instant began = Instant.now();

  /** On which side of the commit. */
  enum Side {
    BEFORE,
    AFTER
  }

  /** The moment of a kill: the n-th commit of a kind, and on which side of it. */
  record Point(String commit, int occurrence, Side side) {}

  /** What was done, and how long it took from the kill to the end of that life. */
  private record Kill(Scenario scenario, Point point, Duration toTheEnd) {}

  @BeforeAll
  void start() throws IOException {
    Trial.announce(getClass());
    for (int i = 0; i < TOWNS; i++) {
      towns.add(new Town(directory.resolve("town-" + i)));
    }
    beside(Town::start);
  }

  @AfterAll
  void stop() {
    towns.forEach(Town::close);
    System.out.printf(
        "promises: %d kills at commits in %d s; from a kill to the end of the life at most %s%n",
        kills.size(),
        Duration.between(began, Instant.now()).toSeconds(),
        kills.stream().max(Comparator.comparing(Kill::toTheEnd)).orElse(null));
  }

  @ParameterizedTest
  @EnumSource
  void a_life_goes_on_after_a_kill_at_any_commit(Scenario scenario) {
    Instant start = Instant.now();
    List<Point> points = chosen(learn(towns.getFirst(), scenario));
    Queue<Point> left = new ConcurrentLinkedQueue<>(points);
    Queue<Point> missed = new ConcurrentLinkedQueue<>();
    beside(
        town -> {
          for (Point point = left.poll(); point != null; point = left.poll()) {
            if (!killed(town, scenario, point)) {
              missed.add(point);
            }
          }
        });
    System.out.printf(
        "%s: %d kills in %d s; not met again: %s%n",
        scenario,
        points.size() - missed.size(),
        Duration.between(start, Instant.now()).toSeconds(),
        missed);
    assertThat(missed)
        .as("kinds of commits at which nothing was killed, of " + points)
        .noneMatch(p -> p.occurrence() == 1);
  }

  /** Log lines are written as time allows: in a short trial the first ones stand for the others. */
  private static List<Point> chosen(Set<Point> learnt) {
    return learnt.stream()
        .filter(p -> Trial.isLong() || !p.commit().equals(LOG_LINES) || p.occurrence() == 1)
        .toList();
  }

  private interface Part {
    void in(Town town);
  }

  /** In all towns at the same time. */
  private void beside(Part part) {
    CompletableFuture.allOf(
            towns.stream()
                .map(
                    town ->
                        CompletableFuture.runAsync(
                            () -> part.in(town), task -> Thread.ofVirtual().start(task)))
                .toArray(CompletableFuture[]::new))
        .join();
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
            counter.next(transaction, Side.BEFORE).ifPresent(this::add);
          }

          @Override
          public void after(Transaction transaction) {
            counter.same(transaction, Side.AFTER).ifPresent(this::add);
          }

          private void add(Point point) {
            synchronized (points) {
              points.add(point);
            }
          }
        });
    assertThat(points).isNotEmpty();
    return points;
  }

  /** Lives with a kill until that moment has come. */
  private boolean killed(Town town, Scenario scenario, Point point) {
    int tries = point.occurrence() == 1 ? TRIES_OF_THE_FIRST : TRIES;
    for (int i = 0; i < tries; i++) {
      Trap trap = new Trap(town, point);
      town.life(scenario, trap);
      if (trap.sprung != null) {
        synchronized (kills) {
          kills.add(new Kill(scenario, point, Duration.between(trap.sprung, Instant.now())));
        }
        return true;
      }
    }
    return false;
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
    volatile Instant sprung;

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
      if (sprung == null && now.equals(point)) {
        sprung = Instant.now();
        town.kill(point.side());
      }
    }
  }
}
