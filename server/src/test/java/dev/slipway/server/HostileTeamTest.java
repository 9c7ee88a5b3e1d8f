package dev.slipway.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.server.Attacker.Remaining;
import dev.slipway.server.HostileDocuments.Attack;
import dev.slipway.server.HostileWorld.Kinds;
import dev.slipway.steps.StepCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Team red writes thousands of documents against the bundled providers and every kind of step while
 * the application of team blue is watched: nothing of it changes by a byte, and when team red has
 * removed what it made, nothing new is there.
 */
class HostileTeamTest {
  private static final long SEED = 20261116;

  private static final Path NOW = Path.of("..", "providers");
  private static final Path OLDER = Path.of("src", "test", "resources", "providers-1.0.0");
  private static final Pattern TYPE = Pattern.compile("(?m)\\btype: ([a-z-]+)");

  /** What came of the documents. */
  private record Outcome(Attacker attacker, Map<String, String> before, Map<String, String> after) {
    /** What differs, as lines. */
    List<String> differences() {
      List<String> lines = new ArrayList<>();
      before.forEach(
          (name, value) -> {
            if (!value.equals(after.get(name))) {
              lines.add("changed or gone: " + name);
            }
          });
      Set<String> retained =
          attacker.runs().stream()
              .map(run -> "file data/workspaces/probe/" + run)
              .collect(Collectors.toSet());
      after.keySet().stream()
          .filter(name -> !before.containsKey(name))
          .filter(name -> retained.stream().noneMatch(name::startsWith))
          .forEach(name -> lines.add("new: " + name));
      return lines;
    }
  }

  @Test
  void thousands_of_hostile_documents_change_nothing_of_another_team(@TempDir Path directory)
      throws Exception {
    try (HostileWorld world = new HostileWorld(directory, NOW, Kinds.ALL)) {
      Outcome outcome = attack(world, new Attacker.Plan(5_200, 6, 4, 2));
      assertThat(outcome.differences()).isEmpty();
      assertThat(outcome.attacker().remaining()).allMatch(HostileTeamTest::expected);
      assertThat(outcome.attacker().byAttack.values().stream().mapToInt(n -> n).sum())
          .isGreaterThanOrEqualTo(60);
      assertThat(outcome.attacker().byAttack)
          .containsKeys(
              Attack.FOREIGN_NAMES,
              Attack.TRAVERSAL,
              Attack.OPTIONS,
              Attack.QUOTING,
              Attack.TEMPLATES,
              Attack.SQL,
              Attack.UNICODE,
              Attack.INJECTED_NAMES);
      assertThat(outcome.attacker().byType).containsKeys(types().toArray(new String[0]));
      assertThat(outcome.attacker().errors())
          .as("the documents named what they were meant to reach")
          .contains(
              "probe-gitea not-ours",
              "probe-object not-ours",
              "probe-space namespace-not-granted",
              "probe-module not-ours",
              "probe-git invalid-config",
              "probe-http invalid-request",
              "probe-http host-not-granted");
      world.removeBlue();
    }
  }

  /** A repository that is not the resource's own, or whose name none can have. */
  private static boolean expected(Remaining remaining) {
    return remaining.type().equals("probe-gitea")
            && Set.of("not-ours", "invalid-name").contains(remaining.error())
        || Set.of("probe-object", "probe-space", "probe-kind").contains(remaining.type())
            && Set.of(
                    "not-ours",
                    "invalid-manifest",
                    "kind-not-granted",
                    "namespace-not-granted",
                    "unknown-kind")
                .contains(remaining.error());
  }

  @Test
  void the_same_documents_find_the_holes_of_the_providers_of_version_1_0_0(@TempDir Path directory)
      throws Exception {
    try (HostileWorld world = new HostileWorld(directory, OLDER, Kinds.BUNDLED)) {
      assertThat(attack(world, new Attacker.Plan(400, 3, 0, 3)).differences())
          .anyMatch(line -> line.contains("bluefarm"))
          .anyMatch(line -> line.contains("roles and databases"));
    }
  }

  @Test
  void every_kind_of_step_takes_part() throws IOException {
    Set<String> used = new TreeSet<>();
    try (Stream<Path> files = Files.list(HostileWorld.PROVIDER)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        TYPE.matcher(Files.readString(file)).results().forEach(found -> used.add(found.group(1)));
      }
    }
    assertThat(used).containsAll(StepCatalog.types().names());
  }

  private static Set<String> types() throws IOException {
    Set<String> types = new TreeSet<>(HostileWorld.BUNDLED);
    TYPE.matcher(Files.readString(HostileWorld.PROVIDER.resolve("provider.yaml")))
        .results()
        .forEach(found -> types.add(found.group(1)));
    return types;
  }

  private static Outcome attack(HostileWorld world, Attacker.Plan plan) throws Exception {
    Map<String, String> before = world.snapshot();
    HostileDocuments generator = new HostileDocuments(SEED, world.knowledge());
    Attacker attacker = new Attacker(world);
    attacker.send(generator, plan);
    attacker.settle();
    attacker.change(generator);
    attacker.settle();
    attacker.destroy();
    return new Outcome(attacker, before, world.snapshot());
  }
}
