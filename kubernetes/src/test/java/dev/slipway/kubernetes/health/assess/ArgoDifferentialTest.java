package dev.slipway.kubernetes.health.assess;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.value.Values;
import dev.slipway.kubernetes.health.LiveObject;
import dev.slipway.kubernetes.health.Neighbours;
import dev.slipway.kubernetes.health.ObjectHealth;
import dev.slipway.kubernetes.health.custom.CustomRule;
import dev.slipway.kubernetes.health.custom.CustomRules;
import dev.slipway.kubernetes.health.custom.KindPattern;
import dev.slipway.kubernetes.health.custom.LuaRule;
import dev.slipway.kubernetes.health.custom.RuleDirectory;
import dev.slipway.kubernetes.lua.Expressions;
import dev.slipway.kubernetes.lua.LuaFailure;
import dev.slipway.kubernetes.lua.LuaScript;
import dev.slipway.testbed.ArgoHealth;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Our verdicts beside those of Argo CD's own code. */
@Tag("proof")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ArgoDifferentialTest {
  private static final String EXPECTED_OF_ARGO = "slipway.test/argo";

  private ArgoHealth argo;

  @BeforeAll
  void start() {
    argo = ArgoHealth.start();
  }

  @AfterAll
  void stop() throws IOException {
    argo.close();
  }

  private record Outcome(String status, String message) {
    static Outcome of(Optional<ObjectHealth> health) {
      return health
          .map(h -> new Outcome(h.status().text(), h.message()))
          .orElse(new Outcome("", ""));
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream in =
        Objects.requireNonNull(
            ArgoDifferentialTest.class.getResourceAsStream("/dev/slipway/kubernetes/" + name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Where the reference decides otherwise than Argo CD, the objects say what Argo CD finds. */
  @Test
  void built_in_rules_find_what_argo_cd_finds_but_for_what_is_decided() throws IOException {
    List<String> differences = new ArrayList<>();
    for (LiveObject object : Manifests.read(resource("health/objects.yaml"))) {
      Map<?, ?> annotations = object.map("metadata", "annotations");
      String expected =
          annotations.containsKey(EXPECTED_OF_ARGO)
              ? object.annotation(EXPECTED_OF_ARGO)
              : object.text("metadata", "labels", "expect");
      ArgoHealth.Verdict verdict = argo.judge(object.fields());
      if (!verdict.status().equals(expected)) {
        differences.add(object.name() + " " + object.fields() + ": " + verdict);
      }
    }
    assertThat(differences).isEmpty();
  }

  @Test
  void objects_of_its_engine_s_own_tests_are_judged_alike() throws IOException {
    Path directory = ArgoHealth.engineSource().resolve("pkg/health/testdata");
    int compared = 0;
    List<String> differences = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        LiveObject object = first(file);
        // Both are judged by rules that the engine itself does not have.
        if (Set.of("Application", "Service.serving.knative.dev").contains(kind(object))) {
          continue;
        }
        compared++;
        String ours =
            Outcome.of(HealthRules.BUILT_IN.judge(object, Neighbours.NONE).health()).status();
        String theirs = argo.judge(object.fields()).status();
        if (!ours.equals(theirs)) {
          differences.add(file.getFileName() + ": " + ours + ", Argo CD: " + theirs);
        }
      }
    }
    System.out.println(compared + " objects of gitops-engine, " + differences.size() + " differ");
    assertThat(differences).isEmpty();
  }

  /** Files of several documents are its tests' first one. */
  private static LiveObject first(Path file) throws IOException {
    return Manifests.read(Files.readString(file)).getFirst();
  }

  private static String kind(LiveObject object) {
    String group = object.groupKind().group();
    return group.endsWith("knative.dev") ? object.kind() + "." + group : object.kind();
  }

  @Test
  void its_own_scripts_give_the_status_and_message_that_their_tests_expect() throws IOException {
    Path scripts = ArgoHealth.argoSource().resolve("resource_customizations");
    Diagnostics diagnostics = new Diagnostics();
    List<CustomRules> rules = RuleDirectory.read(scripts, InstantSource.system(), diagnostics);
    assertThat(diagnostics.toString()).isEmpty();
    int compared = 0;
    List<String> differences = new ArrayList<>();
    for (Path directory : directories(scripts)) {
      for (LiveObject test : tests(directory)) {
        LiveObject object = first(directory.resolve(inputPath(test)));
        Outcome expected =
            new Outcome(test.text("healthStatus", "status"), test.text("healthStatus", "message"));
        // The tests of Argo CD call the script, also for objects that are being deleted.
        Outcome found =
            Outcome.of(
                rules.getFirst().find(object).orElseThrow().rule().judge(object, Neighbours.NONE));
        compared++;
        if (!found.equals(expected)) {
          differences.add(
              scripts.relativize(directory)
                  + "/"
                  + test.text("inputPath")
                  + ": "
                  + found
                  + ", expected "
                  + expected);
        }
      }
    }
    System.out.println(
        compared
            + " cases of "
            + directories(scripts).size()
            + " scripts, "
            + differences.size()
            + " differ");
    assertThat(differences).isEmpty();
  }

  private static List<Path> directories(Path scripts) throws IOException {
    try (Stream<Path> files = Files.walk(scripts)) {
      return files
          .filter(file -> file.endsWith("health.lua"))
          .map(Path::getParent)
          .sorted()
          .toList();
    }
  }

  private static List<LiveObject> tests(Path directory) throws IOException {
    Document document =
        Document.parse(
                "health_test.yaml",
                Files.readAllBytes(directory.resolve("health_test.yaml")),
                Limits.PROVIDER,
                new Diagnostics())
            .orElseThrow();
    return new LiveObject(Values.map(document.plain())).parts("tests");
  }

  private static String inputPath(LiveObject test) {
    return test.has("inputPath") ? test.text("inputPath") : test.text("inputpath");
  }

  private static List<String> scripts(String resource) throws IOException {
    return Arrays.asList(resource(resource).strip().split("\n----\n"));
  }

  @Test
  void scripts_of_ours_give_the_same_status_and_message() throws IOException, LuaFailure {
    List<String> scripts = new ArrayList<>(scripts("lua/scripts.txt"));
    for (Expressions.Expression expression : Expressions.all()) {
      if (!expression.text().startsWith("os.")) {
        scripts.add(
            "local v = " + expression.text() + "; return {status='Healthy', message=tostring(v)}");
      }
    }
    List<String> differences = differences(scripts);
    System.out.println(scripts.size() + " scripts of ours, " + differences.size() + " differ");
    assertThat(differences).isEmpty();
  }

  /**
   * Where we do not follow: the level of {@code error}, metatables of numbers, {@code true} as a
   * replacement and {@code %f} in patterns are those of Lua.
   */
  @Test
  void a_few_scripts_are_known_to_differ() throws IOException, LuaFailure {
    List<String> scripts = scripts("lua/scripts-that-differ.txt");
    assertThat(differences(scripts)).hasSize(scripts.size());
  }

  private List<String> differences(List<String> scripts) throws IOException, LuaFailure {
    LiveObject object = Manifests.one(resource("lua/object.yaml"));
    List<String> differences = new ArrayList<>();
    for (String script : scripts) {
      LuaRule rule = new LuaRule(LuaScript.compile(script), InstantSource.system());
      CustomRules custom =
          new CustomRules(List.of(CustomRule.of("test", new KindPattern("*", "*"), rule)));
      Outcome ours =
          Outcome.of(new HealthRules(List.of(custom)).judge(object, Neighbours.NONE).health());
      ArgoHealth.Verdict theirs = argo.judge(object.fields(), script);
      if (!ours.equals(new Outcome(theirs.status(), theirs.message()))) {
        differences.add(script + "\n  ours: " + ours + "\n  Argo CD: " + theirs);
      }
    }
    return differences;
  }
}
