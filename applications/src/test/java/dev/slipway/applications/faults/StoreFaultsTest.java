package dev.slipway.applications.faults;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.slipway.applications.faults.SeededFaults.Fault;
import dev.slipway.applications.faults.SeededFaults.Strike;
import dev.slipway.engine.execute.RunStore;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * Real stores that fail by a seed under two real replicas. More: {@code -Dfaults.seeds=500}, from
 * another one on: {@code -Dfaults.first=1000}.
 */
@Tag("proof")
class StoreFaultsTest {
  private static final int SEEDS = Integer.getInteger("faults.seeds", 6);
  private static final long FIRST = Long.getLong("faults.first", 1);
  private static final int TRIES = 20;

  /** Most defects are noticed with the first seed: threads decide. */
  private static final int TRIES_WITH_FLAW = 20;

  private static final int ENOUGH = 6;
  private static final Logger ALL = (Logger) LoggerFactory.getLogger("dev.slipway");

  private static Stage stage;

  @TempDir Path directory;

  @BeforeAll
  static void open() {
    ALL.setLevel(Boolean.getBoolean("faults.loud") ? Level.INFO : Level.OFF);
    stage = new Stage();
  }

  @AfterAll
  static void close() {
    stage.close();
    ALL.setLevel(Level.INFO);
  }

  @Test
  void whichever_call_of_a_store_fails_every_run_ends_as_it_should()
      throws IOException, InterruptedException {
    int struck = 0;
    Set<Strike> strikes = new HashSet<>();
    long start = System.nanoTime();
    int played = 0;
    while (played < SEEDS || played < TRIES && lacks(strikes)) {
      long seed = FIRST + played++;
      Play play = new Play(stage, directory, seed, Flaw.NONE);
      List<String> wrong = play.play();
      assertThat(wrong)
          .as("seed %d, -Dfaults.first=%d -Dfaults.seeds=1%n%s", seed, seed, play.story())
          .isEmpty();
      struck += play.story().size();
      strikes.addAll(play.strikes());
    }
    System.out.printf(
        "%d seeds, %d faults of %d kinds in %d ms%n",
        played, struck, strikes.size(), (System.nanoTime() - start) / 1_000_000);
    if (SEEDS >= ENOUGH) {
      assertThat(strikes).containsAll(everyKind());
    }
  }

  /**
   * Whether something did not fail in each of its ways yet: who makes a rare call is up to time,
   * and how it fails is up to who makes it.
   */
  private static boolean lacks(Set<Strike> strikes) {
    return SEEDS >= ENOUGH && !strikes.containsAll(everyKind());
  }

  /** Each method of the wrapped stores, and a statement of each, fails in each of the ways. */
  private static List<Strike> everyKind() {
    List<Strike> every = new ArrayList<>();
    for (Method method : RunStore.class.getMethods()) {
      every.add(new Strike(SeededFaults.name(method), Fault.BEFORE));
      every.add(new Strike(SeededFaults.name(method), Fault.AFTER));
      if (SeededFaults.writes(method)) {
        every.add(new Strike(SeededFaults.name(method), Fault.CUT));
      }
    }
    List<String> others =
        List.of(
            "StepLogs.append",
            "ApprovalDesk.ask",
            "ApprovalDesk.withdraw",
            "Applications.deploy",
            "Applications.deprovision");
    Stream.concat(others.stream(), Statements.STORES.stream().map(Statements::of))
        .forEach(
            what -> {
              every.add(new Strike(what, Fault.BEFORE));
              every.add(new Strike(what, Fault.AFTER));
            });
    return every;
  }

  @ParameterizedTest
  @EnumSource(value = Flaw.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void every_broken_store_is_found_out(Flaw flaw) throws IOException, InterruptedException {
    List<String> wrong = List.of();
    long start = System.nanoTime();
    long seed = FIRST;
    while (!names(wrong, flaw) && seed < FIRST + TRIES_WITH_FLAW) {
      wrong = new Play(stage, directory, seed++, flaw).play();
    }
    System.out.printf(
        "%s: %d seeds in %d ms%n", flaw, seed - FIRST, (System.nanoTime() - start) / 1_000_000);
    assertThat(wrong).as("what is noticed").anyMatch(w -> w.contains(flaw.noticed));
  }

  private static boolean names(List<String> wrong, Flaw flaw) {
    return wrong.stream().anyMatch(w -> w.contains(flaw.noticed));
  }
}
