package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.grammar.Grammar;
import dev.slipway.engine.grammar.JsonSchema;
import dev.slipway.engine.resolve.AdminForms;
import dev.slipway.engine.resolve.GoldenPathForms;
import dev.slipway.engine.resolve.ManifestForms;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.workflow.StepForms;
import dev.slipway.engine.workflow.StepTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The committed reference pages and schemas agree with the tables. {@code -Dslipway.publish=true}
 * regenerates them.
 */
class ReferencePagesTest {
  private static final StepTypes TYPES = StepCatalog.types();

  @TestFactory
  Stream<DynamicTest> what_is_published_is_what_the_tables_say() {
    return published().entrySet().stream()
        .map(file -> DynamicTest.dynamicTest(file.getKey(), () -> same(file)));
  }

  private static void same(Map.Entry<String, String> file) throws IOException {
    Path path = Path.of("..", file.getKey());
    if (Boolean.getBoolean("slipway.publish")) {
      Files.createDirectories(path.getParent());
      Files.writeString(path, file.getValue());
    }
    assertThat(path)
        .as("stale: run ReferencePagesTest with -Dslipway.publish=true and commit the files")
        .hasContent(file.getValue());
  }

  private static Map<String, String> published() {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("docs/reference-workflow.md", workflows());
    files.put(
        "docs/reference-provider.md",
        new ReferencePage(
                ManifestForms.GRAMMAR,
                "Reference: provider manifest",
                "A provider is a directory with a `provider.yaml` and workflow files; [the guide]"
                    + "(providers.md) shows how to write one.")
            .forms()
            .text());
    files.put(
        "docs/reference-configuration.md",
        new ReferencePage(
                AdminForms.GRAMMAR,
                "Reference: configuration",
                "The server's `admin-config.yaml`, given with `--config`. Unknown keys are warned"
                    + " of; anything else that is wrong stops a start, while a reload keeps the"
                    + " configuration there was.")
            .forms()
            .text());
    files.put(
        "docs/reference-golden-paths.md",
        new ReferencePage(
                GoldenPathForms.GRAMMAR,
                "Reference: golden paths",
                "Golden paths are workflows that people start by name: those of providers with"
                    + " `category: goldenpath`, and the entries of the `goldenpaths.yaml` that the"
                    + " configuration names.")
            .forms()
            .text());
    for (Grammar grammar : SchemaCatalog.all()) {
      files.put("schemas/" + grammar.name() + ".json", Json.pretty(JsonSchema.of(grammar)) + "\n");
    }
    return files;
  }

  private static String workflows() {
    Grammar grammar = StepForms.grammar(TYPES);
    ReferencePage page =
        new ReferencePage(
            grammar,
            "Reference: workflows",
            "A workflow is a file with parameters, variables, steps and outputs. `apiVersion:"
                + " innominatus.io/v1alpha1` has them at its top; `workflow.dev/v1` and"
                + " `orchestrator.innominatus.dev/v1` have them below `spec`.");
    return page.form("workflow", grammar.form("workflow"))
        .form("parameter", grammar.form("parameter"))
        .form("step", StepForms.STEP)
        .forms()
        .stepTypes(TYPES.all())
        .text();
  }
}
