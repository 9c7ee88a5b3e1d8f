package dev.slipway.engine.resolve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.resolve.Resolution.Definition;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepTypes;
import dev.slipway.engine.workflow.WorkflowParser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubWorkflowsTest {
  private static final StepTypes TYPES =
      new StepTypes(
          List.of(
              new StepType("noop", Set.of(), List.of(), 1, StepType.Code.NONE),
              new StepType("workflow", Set.of(), List.of(), 1, StepType.Code.NONE)));

  @TempDir Path root;

  private final Map<String, Map<String, String>> providers = new LinkedHashMap<>();

  @Test
  void a_definition_takes_along_everything_it_calls() {
    provider("shop", "main", call("steps", "inner"), "inner", call("steps", "db/make"));
    provider("db", "make", call("steps", "grant"), "grant", "steps: [{name: a, type: noop}]");

    Definition main = registry().provider("shop").orElseThrow().definitions().get("main");

    assertThat(main.library()).containsOnlyKeys("shop/inner", "db/make", "db/grant");
    assertThat(main.library().get("db/grant").source()).contains("name: grant");
  }

  @Test
  void a_workflow_that_is_not_there_breaks_its_provider_and_is_said_with_its_place() {
    provider("shop", "main", call("steps", "iner"), "inner", "steps: [{name: a, type: noop}]");

    Registry registry = registry();

    assertThat(registry.provider("shop")).isEmpty();
    assertThat(problems(registry))
        .containsExactly(
            "shop/main.yaml:5:25: steps[0].workflow: provider 'shop' has no workflow 'iner'."
                + " Did you mean 'inner'?");
  }

  @Test
  void undoing_steps_are_looked_at_too() {
    provider(
        "shop",
        "main",
        """
        steps:
          - name: a
            type: noop
            compensate:
              - {name: undo, workflow: gone}
        """);

    assertThat(problems(registry()))
        .singleElement()
        .asString()
        .startsWith("shop/main.yaml:8:32: steps[0].compensate[0].workflow: provider 'shop' has no");
  }

  @Test
  void recursion_is_refused_by_the_names_on_its_way() {
    provider("shop", "a", call("steps", "b"), "b", call("steps", "c"), "c", call("steps", "a"));

    assertThat(problems(registry()))
        .anyMatch(
            p -> p.contains("workflows call each other: shop/a -> shop/b -> shop/c -> shop/a"));
  }

  @Test
  void recursion_through_another_provider_is_found_when_both_are_there() {
    provider("shop", "a", call("steps", "db/b"), "fine", "steps: [{name: a, type: noop}]");
    provider("db", "b", call("steps", "shop/a"));

    Registry registry = registry();

    assertThat(problems(registry))
        .anyMatch(p -> p.contains("workflows call each other: shop/a -> db/b -> shop/a"));
    Provider shop = registry.provider("shop").orElseThrow();
    assertThat(shop.missing(shop.definitions().get("a"))).isNotEmpty();
    assertThat(shop.missing(shop.definitions().get("fine"))).isEmpty();
  }

  @Test
  void five_below_one_another_are_allowed_and_six_are_not() {
    List<String> chain = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      chain.addAll(List.of("w" + i, call("steps", "w" + (i + 1))));
    }
    chain.addAll(List.of("w5", "steps: [{name: a, type: noop}]"));
    provider("shop", chain.toArray(String[]::new));
    assertThat(problems(registry())).isEmpty();

    chain.addAll(List.of("top", call("steps", "w0")));
    provider("shop", chain.toArray(String[]::new));
    assertThat(problems(registry()))
        .singleElement()
        .asString()
        .contains("workflows are called more than 5 deep: shop/top -> shop/w0 -> ");
  }

  @Test
  void required_parameters_must_be_given() {
    provider(
        "shop",
        "main",
        "steps: [{name: a, workflow: make, parameters: {size: 3}}]",
        "make",
        """
        parameters:
          - {name: size, required: true}
          - {name: zone, required: true}
          - {name: kind, required: true, default: small}
          - {name: app_name, required: true}
        steps: [{name: a, type: noop}]
        """);

    assertThat(problems(registry()))
        .singleElement()
        .asString()
        .contains("main.yaml:4:", "workflow 'make' requires 'zone'");
  }

  @Test
  void a_step_cannot_give_another_identity_to_what_it_calls() {
    provider(
        "shop",
        "main",
        "steps: [{name: a, workflow: make, parameters: {size: 3, app_name: '{{ .parameters.x }}'}}]",
        "make",
        "steps: [{name: a, type: noop}]");

    assertThat(problems(registry()))
        .singleElement()
        .asString()
        .contains("main.yaml:4:", "the engine sets 'app_name' of the called workflow");
  }

  @Test
  void what_is_missing_elsewhere_takes_only_its_own_workflow_out_of_service() {
    provider("shop", "main", call("steps", "db/make"), "fine", "steps: [{name: a, type: noop}]");

    Registry registry = registry();

    assertThat(registry.problems())
        .singleElement()
        .satisfies(
            p -> {
              assertThat(p.kind()).isEqualTo(ProviderProblem.Kind.MISSING_WORKFLOW);
              assertThat(p.availability())
                  .isEqualTo(ProviderProblem.Availability.PARTLY_IN_SERVICE);
            });
    assertThat(problems(registry))
        .singleElement()
        .asString()
        .contains("workflow 'db/make' is missing: no provider 'db' is in service");

    provider("db", "other", "steps: [{name: a, type: noop}]");
    assertThat(problems(registry()))
        .singleElement()
        .asString()
        .contains("provider 'db' has no workflow 'make'");

    provider("db", "make", "steps: [{name: a, type: noop}]");
    assertThat(problems(registry())).isEmpty();
  }

  @Test
  void many_ways_to_one_workflow_are_walked_once() {
    List<String> levels = new ArrayList<>();
    for (int level = 0; level < 5; level++) {
      StringBuilder steps = new StringBuilder("steps:\n");
      for (int i = 0; i < 100; i++) {
        steps.append("  - {name: s%d, workflow: w%d}\n".formatted(i, level + 1));
      }
      levels.addAll(List.of("w" + level, steps.toString()));
    }
    levels.addAll(List.of("w5", "steps: [{name: a, type: noop}]"));
    provider("shop", levels.toArray(String[]::new));

    assertThat(problems(registry())).isEmpty(); // 100 to the fifth would not come to an end
  }

  private static String call(String key, String workflow) {
    return key + ":\n  - {name: a, workflow: " + workflow + "}";
  }

  private void provider(String name, String... namesAndBodies) {
    Map<String, String> workflows = new LinkedHashMap<>();
    for (int i = 0; i < namesAndBodies.length; i += 2) {
      workflows.put(namesAndBodies[i], namesAndBodies[i + 1]);
    }
    providers.put(name, workflows);
  }

  private Registry registry() {
    List<ProviderSource> sources = new ArrayList<>();
    providers.forEach((name, workflows) -> sources.add(source(name, workflows)));
    return new LiveRegistry(new ProviderLoader(new WorkflowParser(TYPES)::parse), sources).reload();
  }

  private ProviderSource source(String name, Map<String, String> workflows) {
    Path directory = root.resolve(name);
    StringBuilder manifest =
        new StringBuilder(
            "apiVersion: v1\nkind: Provider\nmetadata: {name: %s, version: 1.0.0}\nworkflows:\n"
                .formatted(name));
    try {
      Files.createDirectories(directory);
      for (Map.Entry<String, String> workflow : workflows.entrySet()) {
        manifest.append(
            "  - {name: %s, file: ./%s.yaml, category: goldenpath}\n"
                .formatted(workflow.getKey(), workflow.getKey()));
        Files.writeString(
            directory.resolve(workflow.getKey() + ".yaml"),
            "apiVersion: innominatus.io/v1alpha1\nkind: Workflow\nmetadata: {name: %s}\n"
                    .formatted(workflow.getKey())
                + workflow.getValue());
      }
      Files.writeString(directory.resolve("provider.yaml"), manifest.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ProviderSource.directory(directory, 0);
  }

  private static List<String> problems(Registry registry) {
    return registry.problems().stream()
        .flatMap(p -> p.diagnostics().stream())
        .filter(Diagnostic::isError)
        .map(Diagnostic::text)
        .toList();
  }
}
