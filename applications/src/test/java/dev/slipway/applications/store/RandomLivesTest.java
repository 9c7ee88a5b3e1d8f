package dev.slipway.applications.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.execute.ClaimedRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Applications that live through random documents, in random order, with things that break. */
@Tag("proof")
class RandomLivesTest {
  private static final Yard yard = new Yard();

  @AfterAll
  static void close() {
    yard.close();
  }

  /** Resource to what it refers to. */
  private record Shape(Map<String, Set<String>> needs, Map<String, Integer> sizes) {
    static Shape random(Random random) {
      Map<String, Set<String>> needs = new TreeMap<>();
      Map<String, Integer> sizes = new TreeMap<>();
      for (int node = 0; node < 6; node++) {
        if (random.nextInt(3) == 0) {
          continue;
        }
        Set<String> on = new TreeSet<>();
        for (String other : needs.keySet()) {
          if (random.nextInt(3) == 0) {
            on.add(other);
          }
        }
        needs.put("r" + node, on);
        sizes.put("r" + node, random.nextInt(3));
      }
      return new Shape(needs, sizes);
    }

    String yaml() {
      StringBuilder yaml =
          new StringBuilder(
              "apiVersion: score.dev/v1b1\nmetadata: {name: shop}\n"
                  + "containers: {web: {image: nginx}}\nresources:\n");
      needs.forEach(
          (name, on) -> {
            StringBuilder url = new StringBuilder("x");
            on.forEach(o -> url.append("${resources.").append(o).append(".host}"));
            yaml.append(
                "  %s: {type: service, params: {size: %d, url: \"%s\"}}%n"
                    .formatted(name, sizes.get(name), url));
          });
      return needs.isEmpty() ? yaml.append("  {}\n").toString() : yaml.toString();
    }
  }

  private final List<ClaimedRun> begun = new ArrayList<>();
  private final Map<String, Set<String>> alive = new HashMap<>();

  @Test
  void whatever_happens_the_end_is_what_was_asked_for_last() {
    for (int seed = 0; seed < 25; seed++) {
      yard.reset(new TestProviders().full("acme", "service").registry());
      begun.clear();
      alive.clear();
      live(new Random(seed), seed);
    }
  }

  private void live(Random random, int seed) {
    Shape last = Shape.random(random);
    yard.deploy(last.yaml());
    for (int turn = 0; turn < 12; turn++) {
      switch (random.nextInt(6)) {
        case 0 -> {
          last = Shape.random(random);
          yard.deploy(last.yaml());
        }
        case 1 -> {
          yard.destroy("shop");
          last = Shape.random(random);
          yard.deploy(last.yaml());
        }
        case 2 -> {
          int broken = random.nextInt(6);
          yard.broken.add("update r" + broken);
        }
        default -> step(random);
      }
      yard.broken.removeIf(b -> random.nextBoolean());
    }
    yard.broken.clear();
    finish();
    // Whatever had failed is tried again by asking again.
    yard.deploy(last.yaml());
    finish();
    Map<String, String> states = new TreeMap<>();
    for (Resources.View view : yard.applications.show(Yard.ANN, Yard.shop()).resources()) {
      states.put(view.name(), view.state());
    }
    assertThat(states.keySet()).as("seed %d", seed).isEqualTo(last.needs().keySet());
    assertThat(states.values()).as("seed %d: %s", seed, states).allMatch("active"::equals);
    assertThat(yard.deploy(last.yaml()).changed()).as("seed %d", seed).isFalse();
    assertThat(yard.applications.show(Yard.ANN, Yard.shop()).deploymentStatus())
        .isEqualTo("completed");
  }

  private void step(Random random) {
    for (ClaimedRun run : yard.claim()) {
      begun.add(yard.begin(run));
    }
    if (!begun.isEmpty() && random.nextInt(4) > 0) {
      end(begun.remove(random.nextInt(begun.size())));
    }
    yard.loop.advanceDue();
  }

  private void finish() {
    for (int round = 0; round < 60; round++) {
      while (!begun.isEmpty()) {
        end(begun.removeFirst());
      }
      int moved = yard.loop.advanceDue();
      yard.claim().forEach(run -> begun.add(yard.begin(run)));
      if (begun.isEmpty() && moved == 0) {
        return;
      }
    }
    throw new AssertionError("never settles: " + yard.states());
  }

  /**
   * Ends a run, and holds the order: nothing without what it needs, nothing under what needs it.
   */
  private void end(ClaimedRun run) {
    String name = run.subject().nodeName();
    boolean cancelled =
        "requested"
            .equals(
                yard.database
                    .jdbi()
                    .withHandle(
                        h ->
                            h.createQuery("SELECT coalesce(cancel, '') FROM runs WHERE id = ?")
                                .bind(0, run.id())
                                .mapTo(String.class)
                                .one()));
    if (cancelled) {
      yard.cancelled(run);
      return;
    }
    String url = String.valueOf(run.inputs().parameters().get("url"));
    Set<String> needs = new TreeSet<>();
    for (int i = 0; i < 6; i++) {
      if (url.contains("r" + i + ".local")) {
        needs.add("r" + i);
      }
    }
    boolean fails = yard.broken.contains(run.operation() + " " + name);
    if (run.operation().equals("delete")) {
      assertThat(alive.entrySet())
          .noneMatch(e -> !e.getKey().equals(name) && e.getValue().contains(name));
      if (!fails) {
        alive.remove(name);
      }
    } else {
      assertThat(alive.keySet()).containsAll(needs);
      if (!fails) {
        alive.put(name, needs);
      }
    }
    yard.end(run);
  }
}
