package dev.slipway.bench;

import dev.slipway.applications.store.Applications;
import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.Teams;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Score documents of many resources of the type {@code thing}. */
final class BenchScore {
  static final Caller CALLER = new Caller("bench", new Teams.Every(), new Teams.Every());
  private static final int WIDTH = 20;

  private BenchScore() {}

  /** What depends on what. */
  enum Shape {
    CHAIN,
    STAR,
    LAYERS
  }

  static Applications.DeployRequest request(String document) {
    return new Applications.DeployRequest(
        document.getBytes(StandardCharsets.UTF_8),
        "score.yaml",
        Optional.empty(),
        Optional.of("bench"),
        Map.of(),
        Optional.empty(),
        Applications.DeployRequest.Mode.APPLY,
        Set.of(),
        Set.of(),
        Optional.empty());
  }

  static String document(String name, Shape shape, int size) {
    StringBuilder yaml =
        new StringBuilder("apiVersion: score.dev/v1b1\nmetadata: {name: ")
            .append(name)
            .append("}\ncontainers: {web: {image: nginx}}\nresources:\n");
    Random random = new Random(size);
    for (int i = 0; i < size; i++) {
      yaml.append("  r").append(i).append(": {type: thing");
      List<Integer> on = needs(shape, i, random);
      if (!on.isEmpty()) {
        yaml.append(", params: {url: '");
        on.forEach(n -> yaml.append("${resources.r").append(n).append(".host}"));
        yaml.append("'}");
      }
      yaml.append("}\n");
    }
    return yaml.toString();
  }

  private static List<Integer> needs(Shape shape, int i, Random random) {
    List<Integer> needs = new ArrayList<>();
    switch (shape) {
      case CHAIN -> {
        if (i > 0) {
          needs.add(i - 1);
        }
      }
      case STAR -> {
        if (i > 0) {
          needs.add(0);
        }
      }
      case LAYERS -> {
        int layer = i / WIDTH * WIDTH;
        if (layer > 0) {
          needs.add(layer - 1 - random.nextInt(WIDTH));
        }
      }
    }
    return needs;
  }
}
