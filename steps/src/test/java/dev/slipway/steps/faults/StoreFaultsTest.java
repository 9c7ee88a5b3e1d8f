package dev.slipway.steps.faults;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * Real stores that fail by a seed under two real replicas. More: {@code -Dfaults.seeds=500}, from
 * another one on: {@code -Dfaults.first=1000}.
 */
class StoreFaultsTest {
  private static final int SEEDS = Integer.getInteger("faults.seeds", 6);
  private static final long FIRST = Long.getLong("faults.first", 1);
  private static final int TRIES = 20;
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
    long start = System.nanoTime();
    for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
      Play play = new Play(stage, directory, seed, Flaw.NONE);
      List<String> wrong = play.play();
      assertThat(wrong)
          .as("seed %d, -Dfaults.first=%d -Dfaults.seeds=1%n%s", seed, seed, play.story())
          .isEmpty();
      struck += play.story().size();
    }
    System.out.printf(
        "%d seeds, %d faults in %d ms%n", SEEDS, struck, (System.nanoTime() - start) / 1_000_000);
    assertThat(struck).isGreaterThan(SEEDS);
  }

  @ParameterizedTest
  @EnumSource(value = Flaw.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void every_broken_store_is_found_out(Flaw flaw) throws IOException, InterruptedException {
    List<String> wrong = List.of();
    for (long seed = FIRST; wrong.isEmpty() && seed < FIRST + TRIES; seed++) {
      wrong = new Play(stage, directory, seed, flaw).play();
    }
    assertThat(wrong).as("what is noticed").anyMatch(w -> w.contains(flaw.noticed));
  }
}
