package dev.slipway.postgres.model;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.slipway.postgres.model.Scenario.Fault;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * Generated workflows, generated faults, the real engine on threads that take turns. A schedule
 * that breaks a rule is made smaller and printed; its seed alone brings it back.
 *
 * <p>More schedules: {@code -Dmodel.schedules=100000}, from another seed on: {@code
 * -Dmodel.first=1000000}.
 */
@Tag("proof")
class ModelCheckTest {
  private static final int SCHEDULES = Integer.getInteger("model.schedules", 2_000);
  private static final long FIRST = Long.getLong("model.first", 1);
  private static final Logger ENGINE =
      (Logger) LoggerFactory.getLogger("dev.slipway.engine.execute");

  @BeforeAll
  static void quiet() {
    ENGINE.setLevel(Level.OFF);
  }

  @AfterAll
  static void loud() {
    ENGINE.setLevel(null);
  }

  @Test
  void no_schedule_breaks_a_rule() {
    inTurns(
        () -> {
          long turns = 0;
          long runs = 0;
          long heldBack = 0;
          long start = System.nanoTime();
          for (long seed = FIRST; seed < FIRST + SCHEDULES; seed++) {
            Scenario scenario = Scenario.of(seed);
            Simulation.Played played = Simulation.play(scenario, Broken.NOT);
            turns += played.turns();
            runs += played.runs();
            heldBack += played.heldBack();
            if (!played.violations().isEmpty()) {
              throw new AssertionError(smallest(scenario, Broken.NOT, ""));
            }
          }
          System.out.printf(
              "%d schedules, %d runs, %d turns, %d held back in %d ms%n",
              SCHEDULES, runs, turns, heldBack, (System.nanoTime() - start) / 1_000_000);
          assertThat(heldBack)
              .as("effects that machines which woke up too late were held back from")
              .isGreaterThanOrEqualTo(SCHEDULES / 200);
        });
  }

  /** Small ones that broke a rule once, each under some seeds: any change moves the schedules. */
  private static Stream<Scenario> found() {
    List<Scenario.Plan> work = List.of(plain("s1", Scenario.Kind.WORK));
    List<Scenario.Plan> waiting = List.of(plain("s0", Scenario.Kind.WAIT));
    List<Fault> away = List.of(new Fault(25_319, Fault.What.DATABASE_AWAY, 2, 39_297));
    List<Fault> frozen = List.of(new Fault(12_884, Fault.What.FREEZE, 0, 43_704));
    Stream<Scenario> small =
        LongStream.rangeClosed(1, 120)
            .boxed()
            .flatMap(
                seed ->
                    Stream.of(
                        // A claim whose answer was lost kept the run for ever.
                        new Scenario(seed, 1, 1, waiting, List.of(), List.of(), 200),
                        // A step went on after its lease, beside the one that repeated it.
                        new Scenario(seed, 3, 2, work, List.of(), away, 0),
                        // A worker that woke up late began a step that others had taken over.
                        new Scenario(seed, 3, 2, work, List.of(), frozen, 200)));
    // What was undone became failed when the write that said so was refused.
    return Stream.concat(small, Stream.of(Scenario.of(9_002_878)));
  }

  private static Scenario.Plan plain(String name, Scenario.Kind kind) {
    return new Scenario.Plan(name, kind, null, "on_success", false, 1, "fail", false);
  }

  @Test
  void what_broke_a_rule_once_does_so_no_more() {
    inTurns(
        () ->
            found()
                .forEach(
                    scenario ->
                        assertThat(Simulation.play(scenario, Broken.NOT).violations())
                            .as("%s", scenario)
                            .isEmpty()));
  }

  @Test
  void a_seed_is_a_schedule() {
    inTurns(
        () -> {
          for (long seed = 1; seed <= 50; seed++) {
            Simulation.Played once = Simulation.play(Scenario.of(seed), Broken.NOT);
            Simulation.Played twice = Simulation.play(Scenario.of(seed), Broken.NOT);
            assertThat(twice).as("seed %d", seed).isEqualTo(once);
          }
        });
  }

  @ParameterizedTest
  @EnumSource(value = Broken.class, mode = EnumSource.Mode.EXCLUDE, names = "NOT")
  void every_broken_engine_is_found_out(Broken broken) {
    inTurns(
        () -> {
          Optional<Scenario> found = Optional.empty();
          for (long seed = 1; found.isEmpty() && seed <= 2_000; seed++) {
            Scenario scenario = Scenario.of(seed);
            if (shows(scenario, broken, broken.noticed)) {
              found = Optional.of(scenario);
            }
          }
          assertThat(found).as("a schedule that shows it").isPresent();
          assertThat(smallest(found.get(), broken, broken.noticed)).contains(broken.noticed);
        });
  }

  private static boolean shows(Scenario scenario, Broken broken, String noticed) {
    return Simulation.play(scenario, broken).violations().stream()
        .anyMatch(v -> v.contains(noticed));
  }

  /** The smallest scenario of which the same is noticed, and what. */
  private static String smallest(Scenario scenario, Broken broken, String noticed) {
    Scenario smallest = scenario;
    boolean smaller = true;
    while (smaller) {
      smaller = false;
      for (Scenario candidate : smallest.smaller()) {
        if (shows(candidate, broken, noticed)) {
          smallest = candidate;
          smaller = true;
          break;
        }
      }
    }
    Simulation.Played played = Simulation.play(smallest, broken);
    List<String> story = played.story();
    return String.join("\n", played.violations())
        + "\n"
        + smallest
        + "\n"
        + String.join("\n", story.subList(Math.max(0, story.size() - 40), story.size()));
  }

  /** On a thread that hands over quickly to the others. */
  private static void inTurns(Runnable test) {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread thread =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    test.run();
                  } catch (RuntimeException | Error e) {
                    failure.set(e);
                  }
                });
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get().getMessage(), failure.get());
    }
  }
}
