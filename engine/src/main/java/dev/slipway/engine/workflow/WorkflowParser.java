package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.intake.Spelling;
import dev.slipway.engine.workflow.Workflow.Output;
import dev.slipway.engine.workflow.Workflow.Secrecy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a workflow file and finds everything that can be found wrong with it before it runs. The
 * same text always gives the same workflow, so a run that keeps its text keeps its workflow.
 */
public final class WorkflowParser {
  private static final String FLAT = "innominatus.io/v1alpha1";
  private static final List<String> WRAPPED =
      List.of("workflow.dev/v1", "orchestrator.innominatus.dev/v1");
  private static final List<String> VERSIONS = List.of(FLAT, WRAPPED.getFirst(), WRAPPED.getLast());

  private final StepTypes types;

  /** Knows these step types; any other is an error in a workflow. */
  public WorkflowParser(StepTypes types) {
    this.types = types;
  }

  /**
   * Reads one workflow. All problems go to the diagnostics, errors and warnings alike.
   *
   * @return the workflow, or empty when there was an error in it
   */
  public Optional<Workflow> parse(Document document, Diagnostics diagnostics) {
    Diagnostics found = new Diagnostics();
    Workflow workflow = read(document.section(found).spelled(Spelling.CAMEL_OR_SNAKE));
    diagnostics.addAll(found.all());
    return found.hasErrors() ? Optional.empty() : Optional.of(workflow);
  }

  private Workflow read(Section root) {
    String version = root.oneOf("apiVersion", VERSIONS).orElse("");
    if (!root.has("apiVersion")) {
      root.error("missing-field", "'apiVersion' is required", "Write apiVersion: " + FLAT + ".");
    }
    root.requiredString("kind");
    root.oneOf("kind", List.of("Workflow"));
    Section metadata = root.requiredSection("metadata");
    String name = metadata.requiredString("name");
    String description = metadata.string("description", "");
    metadata.ignoring("labels", "annotations", "version", "tags").noOtherKeys();
    Workflow workflow = body(name, description, body(root, version));
    root.noOtherKeys();
    return workflow;
  }

  /** Where parameters, variables, steps and outputs stand: at the top, or below {@code spec}. */
  private static Section body(Section root, String version) {
    Optional<Section> spec = root.section("spec");
    if (spec.isPresent() && version.equals(FLAT)) {
      root.warning(
          "spec", "legacy-form", FLAT + " has no 'spec'", "Move what is in it one level up.");
    }
    if (spec.isEmpty() && WRAPPED.contains(version)) {
      root.error("missing-field", "'spec' is required by " + version, "Put 'steps' below 'spec'.");
    }
    return spec.orElse(root);
  }

  private Workflow body(String name, String description, Section body) {
    LegacyForms legacy = new LegacyForms(body);
    List<Parameter> parameters = new ParameterParser().parse(legacy.parameters());
    Map<String, Object> variables = body.openMap("variables");
    List<StepDraft> drafts = new StepParser(types).parse(body.requiredSections("steps"));
    if (body.has("steps") && drafts.isEmpty()) {
      body.error("steps", "invalid-value", "a workflow needs at least one step", null);
    }
    Map<String, Output> outputs = outputs(legacy.outputs());
    new Mentions(body, parameters, drafts).check();
    List<Step> steps = new StepOrder(drafts).steps();
    body.ignoring("description", "version");
    if (!body.path().isRoot()) {
      body.noOtherKeys();
    }
    List<ProgramNeed> programs = drafts.stream().flatMap(d -> d.programs().stream()).toList();
    return new Workflow(name, description, parameters, variables, steps, outputs, programs);
  }

  private static Map<String, Output> outputs(Map<String, Located> written) {
    Map<String, Output> outputs = new LinkedHashMap<>();
    written.forEach((name, value) -> outputs.put(name, output(value)));
    return outputs;
  }

  private static Output output(Located written) {
    if (written instanceof Located.Mapping map
        && map.value("value").isPresent()
        && List.of("value", "secret", "description").containsAll(map.entries().keySet())) {
      boolean secret = map.value("secret").filter(s -> Boolean.TRUE.equals(s.plain())).isPresent();
      return new Output(
          map.value("value").orElseThrow().plain(), secret ? Secrecy.SECRET : Secrecy.PLAIN);
    }
    return new Output(written.plain(), Secrecy.PLAIN);
  }

  static void report(Section section, Diagnostic diagnostic) {
    section.diagnostics().add(diagnostic);
  }
}
