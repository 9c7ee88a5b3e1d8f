package dev.slipway.applications.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Accepting a document costs what its size costs, not more. */
class SpeedTest {

  private static String document(String name, int resources) {
    StringBuilder yaml =
        new StringBuilder(
            "apiVersion: score.dev/v1b1\nmetadata: {name: %s}\n".formatted(name)
                + "containers: {web: {image: nginx}}\nresources:\n");
    for (int i = 0; i < resources; i++) {
      yaml.append("  r%d: {type: service, params: {size: %d}}%n".formatted(i, i));
    }
    return yaml.toString();
  }

  @Test
  void accepting_is_linear_in_the_number_of_resources() {
    try (Yard yard = new Yard()) {
      yard.reset(new TestProviders().full("acme", "service").registry());
      for (int i = 0; i < 10; i++) {
        yard.deploy(document("warm-" + i, 50));
      }
      Map<Integer, Long> best = new TreeMap<>();
      for (int size : new int[] {10, 100, 1000}) {
        for (int round = 0; round < 3; round++) {
          String yaml = document("app-" + size + "-" + round, size);
          long start = System.nanoTime();
          yard.deploy(yaml);
          best.merge(size, (System.nanoTime() - start) / 1000, Math::min);
        }
      }
      // Ten times the resources: about ten times the time. Something quadratic would be a hundred.
      assertThat(best.get(1000)).as("%s", best).isLessThan(30 * best.get(100));
    }
  }
}
