package dev.slipway.engine.workflow;

import static dev.slipway.engine.workflow.WorkflowForms.FLAT;
import static dev.slipway.engine.workflow.WorkflowForms.FLAT_FILE;
import static dev.slipway.engine.workflow.WorkflowForms.LISTED_OUTPUT;
import static dev.slipway.engine.workflow.WorkflowForms.SPEC;
import static dev.slipway.engine.workflow.WorkflowForms.VERSIONS;
import static dev.slipway.engine.workflow.WorkflowForms.WRAPPED;
import static dev.slipway.engine.workflow.WorkflowForms.WRAPPED_FILE;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.intake.Spelling;
import dev.slipway.engine.workflow.LegacyForms.WrittenOutput;
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
  private final StepTypes types;

  /** Any other step type is an error in a workflow. */
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
    Optional<Section> spec = root.section("spec");
    root.only((spec.isPresent() ? WRAPPED_FILE : FLAT_FILE).names());
    String version = root.oneOf("apiVersion", VERSIONS).orElse("");
    if (root.value("apiVersion").isEmpty()) {
      root.error("missing-field", "'apiVersion' is required", "Write apiVersion: " + FLAT + ".");
    }
    root.requiredString("kind");
    root.oneOf("kind", List.of("Workflow"));
    Section metadata = root.requiredSection("metadata").only(WorkflowForms.METADATA.names());
    String name = metadata.requiredString("name");
    String description = metadata.string("description", "");
    metadata.noOtherKeys();
    checkWrapping(root, version, spec);
    Workflow workflow =
        spec.isEmpty()
            ? body(name, description, root, root)
            : body(name, description, spec.get().only(SPEC.names()), variables(root, spec.get()));
    root.noOtherKeys();
    return workflow;
  }

  /** Parameters, variables, steps and outputs stand at the top, or below {@code spec}. */
  private static void checkWrapping(Section root, String version, Optional<Section> spec) {
    if (spec.isPresent() && version.equals(FLAT)) {
      root.warning(
          "spec", "legacy-form", FLAT + " has no 'spec'", "Move what is in it one level up.");
    }
    if (spec.isEmpty() && WRAPPED.contains(version)) {
      root.error("missing-field", "'spec' is required by " + version, "Put 'steps' below 'spec'.");
    }
  }

  /** Where {@code variables} stand: formerly beside {@code spec} as well. */
  private static Section variables(Section root, Section spec) {
    if (root.located("variables").isEmpty()) {
      return spec;
    }
    if (spec.located("variables").isPresent()) {
      root.error(
          "variables",
          "contradiction",
          "variables are written here and below 'spec'",
          "Move these below 'spec'.");
      return spec;
    }
    root.warning(
        "variables",
        "legacy-form",
        "variables beside 'spec' are an old form",
        "Move them below 'spec'.");
    return root;
  }

  private Workflow body(String name, String description, Section body, Section beside) {
    LegacyForms legacy = new LegacyForms(body);
    List<Parameter> parameters = new ParameterParser().parse(legacy.parameters());
    Map<String, Object> variables = beside.openMap("variables");
    List<StepDraft> drafts = new StepParser(types).parse(body.requiredSections("steps"));
    if (body.has("steps") && drafts.isEmpty()) {
      body.error("steps", "invalid-value", "a workflow needs at least one step", null);
    }
    Map<String, Output> outputs = new LinkedHashMap<>();
    legacy.outputs().forEach((key, value) -> outputs.put(key, output(value)));
    new ReferenceCheck(body, beside, parameters, drafts).check();
    List<Step> steps = new StepOrder(drafts).steps();
    if (!body.path().isRoot()) {
      body.noOtherKeys();
    }
    List<ProgramNeed> programs = drafts.stream().flatMap(d -> d.programs().stream()).toList();
    return new Workflow(name, description, parameters, variables, steps, outputs, programs);
  }

  /** A tree of templates; or {@code {value, secret, description}}, where a slip is an error. */
  private static Output output(WrittenOutput written) {
    if (!(written.value() instanceof Located.Mapping map)
        || map.value("value").isEmpty()
        || map.entries().keySet().stream().anyMatch(WorkflowParser::isNoField)) {
      return new Output(written.value().plain(), Secrecy.PLAIN);
    }
    Section fields = written.fields().get();
    Object value = fields.value("value").orElse(null);
    boolean secret = fields.bool("secret", false);
    fields.string("description");
    fields.noOtherKeys();
    return new Output(value, secret ? Secrecy.SECRET : Secrecy.PLAIN);
  }

  /** Not similar to any field, so the map is a plain value that happens to have a key 'value'. */
  private static boolean isNoField(String key) {
    return Nearest.to(key, LISTED_OUTPUT.names()).isEmpty();
  }
}
