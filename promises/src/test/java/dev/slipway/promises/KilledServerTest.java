package dev.slipway.promises;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.promises.Diary.Transition;
import dev.slipway.testbed.PostgresProxy;
import dev.slipway.testbed.PostgresProxy.Transaction;
import dev.slipway.testbed.PostgresVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A server is killed ({@code kill -9}) at every transaction of a life: when the database does not
 * have it yet, or when it has it and the server does not know. Which transactions there are, and
 * which transitions are written in them, is learnt by watching each life some times, so that none
 * can be forgotten. After each kill the server is started again, the client asks again, and history
 * must be as if nothing had happened.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("proof")
class KilledServerTest {
  /**
   * A server is killed on each of them, beside the other: as many as a small machine has cores. The
   * points of each life are shared between them.
   */
  private static final List<PostgresVersion> TOWNS =
      List.of(PostgresVersion.OLDEST, PostgresVersion.NEWEST);

  /** So many lives of each kind are watched to learn what all of them have. */
  private static final int LIVES = 3;

  /** For a commit that need not come in each life. */
  private static final int TRIES = 12;

  @TempDir static Path directory;
  private final List<Town> towns = new ArrayList<>();
  private final Lessons lessons = new Lessons();
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
    for (PostgresVersion version : TOWNS) {
      towns.add(new Town(directory.resolve("town-" + version.major()), version));
    }
    beside(Town::start);
    Queue<Scenario> all = new ConcurrentLinkedQueue<>();
    for (int i = 0; i < LIVES; i++) {
      all.addAll(List.of(Scenario.values()));
    }
    beside(
        town -> {
          for (Scenario next = all.poll(); next != null; next = all.poll()) {
            lessons.learn(town, next);
          }
        });
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
    List<Point> points = lessons.points(scenario);
    Queue<Point> next = new ConcurrentLinkedQueue<>(points);
    Queue<Point> missed = new ConcurrentLinkedQueue<>();
    beside(
        town -> {
          for (Point point = next.poll(); point != null; point = next.poll()) {
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
        .as("commits of each life at which nothing was killed, of " + points)
        .noneMatch(p -> lessons.always(scenario, p) && isFirst(scenario, p));
    Set<Transition> left = lessons.transitions(scenario, missed);
    points.removeAll(missed);
    left.removeAll(lessons.transitions(scenario, points));
    left.removeAll(lessons.transitionsBefore(scenario));
    assertThat(left).as("transitions at which nothing was killed").isEmpty();
  }

  /** So that a transition that is new in a lifecycle cannot be forgotten here. */
  @Test
  void every_transition_of_the_lifecycles_is_lived_through_or_says_why_not() {
    assertThat(Diary.allowed())
        .as("what is written is what the lifecycles allow")
        .containsAll(lessons.transitions());
    Set<Transition> missing = new LinkedHashSet<>(Diary.allowed());
    missing.removeAll(lessons.transitions());
    assertThat(missing)
        .as("what no life has, with the reasons " + Unlived.REASONS)
        .containsExactlyInAnyOrderElementsOf(Unlived.REASONS.keySet());
  }

  /** How often a kind of commit comes is up to time. */
  private static boolean isFirst(Scenario scenario, Point point) {
    return point.occurrence() == 1 || !scenario.whole();
  }

  private interface Part {
    void in(Town town);
  }

  /** In all towns at the same time; throws what went wrong in any of them. */
  private void beside(Part part) {
    Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
    List<Thread> threads =
        towns.stream()
            .map(
                town ->
                    Thread.ofVirtual()
                        .uncaughtExceptionHandler((thread, e) -> wrong.add(e))
                        .start(() -> part.in(town)))
            .toList();
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    if (!wrong.isEmpty()) {
      AssertionError all =
          new AssertionError(
              wrong.stream().map(KilledServerTest::inShort).collect(joining(" | ")), wrong.poll());
      wrong.forEach(all::addSuppressed);
      throw all;
    }
  }

  /** The first line of what went wrong and of each reason for it. */
  private static String inShort(Throwable wrong) {
    return Stream.iterate(wrong, Objects::nonNull, Throwable::getCause)
        .map(e -> String.valueOf(e).lines().filter(l -> !l.isBlank()).findFirst().orElse(""))
        .collect(joining(", because: "));
  }

  /** Lives with a kill until that moment has come. */
  private boolean killed(Town town, Scenario scenario, Point point) {
    for (int i = 0; i < TRIES; i++) {
      Trap trap = new Trap(town, point);
      try {
        town.life(scenario, trap);
      } catch (AssertionError e) {
        throw new AssertionError((trap.sprung == null ? "not yet " : "") + "killed at " + point, e);
      }
      if (trap.sprung != null) {
        synchronized (kills) {
          kills.add(new Kill(scenario, point, Duration.between(trap.sprung, Instant.now())));
        }
        return true;
      }
    }
    return false;
  }

  /** Kills the server at one moment. */
  private static final class Trap implements PostgresProxy.CommitWatch {
    private final Town town;
    private final Point point;
    private final CommitCount counter = new CommitCount();
    volatile Instant sprung;

    Trap(Town town, Point point) {
      this.town = town;
      this.point = point;
    }

    @Override
    public void before(Transaction transaction) {
      counter.next(transaction).ifPresent(place -> spring(place.at(Side.BEFORE)));
    }

    @Override
    public void after(Transaction transaction) {
      counter.same(transaction).ifPresent(place -> spring(place.at(Side.AFTER)));
    }

    private synchronized void spring(Point now) {
      if (sprung == null && now.equals(point)) {
        sprung = Instant.now();
        town.kill(point.side());
      }
    }
  }
}
