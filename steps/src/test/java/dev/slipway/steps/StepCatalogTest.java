package dev.slipway.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.workflow.WorkflowParser;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Errors of a step are reported when its provider loads, not when it runs. */
class StepCatalogTest {
  private static List<String> problems(String step) {
    Diagnostics diagnostics = new Diagnostics();
    String text =
        "apiVersion: innominatus.io/v1alpha1\nkind: Workflow\nmetadata: {name: w}\nsteps:\n  - "
            + step
            + "\n";
    Document.parse("w.yaml", text, Limits.DEFAULT, diagnostics)
        .ifPresent(
            document -> new WorkflowParser(StepCatalog.types()).parse(document, diagnostics));
    return diagnostics.all().stream().map(d -> d.message() + " " + d.hint()).toList();
  }

  @Test
  void steps_that_cannot_run_as_jobs_are_refused_with_the_reason() {
    String step = "{name: a, type: %s, executor: kubernetes-job, cluster: east}";
    assertThat(problems("{name: a, type: terraform, path: x, executor: kubernetes-job}"))
        .singleElement()
        .asString()
        .contains("'kubernetes-job' cannot be used: it is not supported yet")
        .contains("local");
    assertThat(problems(step.formatted("ansible, playbook: x.yaml"))).isEmpty();
    assertThat(problems(step.formatted("shell, script: 'true'"))).isEmpty();
    assertThat(problems("{name: a, type: ansible, playbook: x.yaml, executor: local}")).isEmpty();
  }

  @Test
  void a_manifest_that_cannot_be_read_is_an_error_of_the_workflow() {
    String step = "{name: a, type: kubernetes, operation: apply, manifest: \"%s\"}";
    assertThat(problems(step.formatted("kind: A\\n{{ if .parameters.b }}\\nb: 1\\n{{ end }}\\n")))
        .anyMatch(text -> text.contains("manifest:") && text.contains("within one value"));
    assertThat(problems(step.formatted("kind: A\\nb: {{ .context.environment.name }}\\n")))
        .isEmpty();
  }

  @Test
  void fields_are_held_to_what_the_types_take() {
    assertThat(problems("{name: a, type: ansible}").getFirst()).contains("needs 'playbook'");
    assertThat(problems("{name: a, type: git, repository: r, operation: pull}").getFirst())
        .contains("not one of clone, commit or tag");
    assertThat(
            problems(
                "{name: a, type: git-commit-manifests, repository: r, files: {a: b}, source_path:"
                    + " x}"))
        .hasSize(1);
    assertThat(problems("{name: a, type: gitea-repo, operation: create, repoName: x, org: y}"))
        .isEmpty();
    assertThat(problems("{name: a, type: gitea-repo, operation: create}").getFirst())
        .contains("name");
    assertThat(
            problems(
                    "{name: a, type: gitea-repo, operation: create, config: {name: b}, repoName:"
                        + " c}")
                .getFirst())
        .contains("means the same");
  }
}
