package dev.slipway.steps.terraform;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.resolve.ProgramCheck;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.workflow.WorkflowParser;
import dev.slipway.steps.StepCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Errors that are found before any step runs. */
class TerraformLoadTest {
  @TempDir Path directory;

  private List<String> problems(String make, String drop, String path) throws IOException {
    Files.writeString(
        directory.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: acme, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - type: db
              operations:
                create: {workflow: make}
                delete: {workflow: drop}
        workflows:
          - {name: make, file: ./make.yaml}
          - {name: drop, file: ./drop.yaml}
        """);
    workflow("make.yaml", make);
    workflow("drop.yaml", drop);
    ProviderLoader loader =
        new ProviderLoader(
            new WorkflowParser(StepCatalog.types())::parse,
            ProgramCheck.onServer(new ProgramPath(path)));
    return loader
        .load(ProviderSource.directory(directory, 0), directory, null)
        .diagnostics()
        .stream()
        .filter(Diagnostic::isError)
        .map(Diagnostic::toString)
        .toList();
  }

  private void workflow(String file, String step) throws IOException {
    Files.writeString(
        directory.resolve(file),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: it}
        steps:
          - {name: work, %s}
        """
            .formatted(step));
  }

  private static Path programs(Path directory, String... names) throws IOException {
    Path bin = Files.createDirectories(directory.resolve("bin"));
    for (String name : names) {
      Files.createFile(bin.resolve(name)).toFile().setExecutable(true);
    }
    return bin;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          type: terraform, path: db, operation: aply         | aply | Did you mean 'apply'?
          type: terraform, operation: plan                   | needs 'path' | below the provider's directory
          type: opentofu, path: db, executor: kubernetes-job | it is not supported yet for steps of this type | local
          type: terraform, path: a, working_dir: b           | which means the same | Remove one
          type: terraform, path: db, varaibles: {}           | varaibles | Did you mean 'variables'?
          """)
  void a_wrong_step_is_found_when_its_provider_loads(String step, String what, String hint)
      throws IOException {
    String path = programs(directory, "terraform", "tofu").toString();
    assertThat(problems(step, "type: noop", path))
        .singleElement()
        .asString()
        .contains("make.yaml:5:")
        .contains(what)
        .contains(hint);
  }

  @Test
  void a_workflow_that_deletes_says_what_its_steps_do() throws IOException {
    String path = programs(directory, "terraform").toString();
    assertThat(problems("type: terraform, path: db", "type: terraform, path: db", path))
        .singleElement()
        .asString()
        .contains("drop.yaml:5:5", "step 'work' of a workflow that deletes", "operation: destroy");
    assertThat(
            problems(
                "type: terraform, path: db", "type: terraform, path: db, operation: destroy", path))
        .isEmpty();
  }

  @Test
  void either_program_will_do_unless_one_is_named() throws IOException {
    String none = Files.createDirectory(directory.resolve("none")).toString();
    String destroy = "type: opentofu, path: db, operation: destroy";
    assertThat(problems("type: noop", destroy, none))
        .singleElement()
        .asString()
        .contains("needs 'tofu' or 'terraform', which is not on the PATH")
        .contains("Installing OpenTofu");
    String path = programs(directory, "terraform").toString();
    assertThat(problems("type: noop", destroy, path)).isEmpty();
    assertThat(problems("type: noop", destroy + ", binary: tofu", path))
        .singleElement()
        .asString()
        .contains("needs 'tofu', which");
    assertThat(problems("type: noop", destroy + ", binary: '{{ .config.program }}'", none))
        .isEmpty();
  }
}
