package dev.slipway.gotemplate.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Asks real Go while testing. Runs only where Go is installed; elsewhere it says so and counts as
 * skipped, but with CI=true a missing Go is a failure.
 */
@Tag("proof")
class GeneratedCasesTest {
  private static final long SEED = Long.getLong("gotemplate.seed", 1);
  private static final int COUNT = Integer.getInteger("gotemplate.count", 20_000);
  private static final int MOST_SHRUNK = 20;

  private static Oracle oracle;

  @BeforeAll
  static void build_the_oracle() {
    try {
      oracle = Oracle.build();
    } catch (Oracle.Unavailable e) {
      String message = "NOT COMPARED WITH REAL GO: " + e.getMessage();
      System.out.println("\n*** " + message + "\n");
      if ("true".equals(System.getenv("CI"))) {
        throw new IllegalStateException(message, e);
      }
      Assumptions.abort(message);
    }
  }

  @Test
  void random_templates_end_as_in_go() {
    KnownDifferences known = new KnownDifferences();
    List<Difference> unknown = new ArrayList<>();
    AtomicInteger compared = new AtomicInteger();
    oracle.generate(
        SEED,
        COUNT,
        each -> {
          compared.incrementAndGet();
          Outcome java = JavaSide.run(each);
          Difference difference = new Difference(each, java);
          if (!Outcome.same(each.go(), java) && !known.know(difference)) {
            unknown.add(difference);
          }
        });
    System.out.printf("compared %d random templates with Go, seed %d%n", compared.get(), SEED);
    assertThat(compared).hasValue(COUNT);
    assertThat(unknown)
        .withFailMessage(
            () ->
                "%d of %d random templates differ from Go (seed %d); the first ones, shrunk:%n%s"
                    .formatted(unknown.size(), COUNT, SEED, Difference.table(shrunk(unknown))))
        .isEmpty();
  }

  @Test
  void the_committed_results_are_those_of_the_installed_go(@TempDir Path folder)
      throws IOException, InterruptedException {
    Map<String, Outcome> fresh = new HashMap<>();
    for (Path file : oracle.record(folder)) {
      for (String line : Files.readAllLines(file)) {
        OracleCase each = OracleCase.of(line);
        fresh.put(each.id() + each.template(), each.go());
      }
    }
    List<String> stale =
        CommittedCases.all().stream()
            .filter(each -> !Outcome.same(fresh.remove(each.id() + each.template()), each.go()))
            .map(OracleCase::id)
            .toList();
    assertThat(stale).as("results that gotemplate/oracle/record would change").isEmpty();
    assertThat(fresh).as("cases without results; run gotemplate/oracle/record").isEmpty();
  }

  private static List<Difference> shrunk(List<Difference> differences) {
    try (Oracle.Dialogue dialogue = oracle.talk()) {
      Shrinker shrinker = new Shrinker(dialogue);
      return differences.stream().limit(MOST_SHRUNK).map(shrinker::shrink).toList();
    }
  }
}
