package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Path;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.workflow.StepType.Kind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Checks that whatever a workflow refers to exists, and notes for each step which other steps it
 * refers to.
 */
final class ReferenceCheck {
  private static final List<String> ROOTS =
      List.of("parameters", "steps", "variables", "context", "outputs", "config");
  private static final Set<String> PLACEHOLDER_ROOTS =
      Set.of("resources", "metadata", "environment");
  private static final List<String> OF_A_STEP =
      List.of("output", "outputs", "status", "success", "failed", "skipped");

  private final Section body;
  private final Section beside;
  private final List<Parameter> parameters;
  private final Map<String, StepDraft> steps = new LinkedHashMap<>();
  private final Set<String> variables = new HashSet<>();

  /** Variables may stand in another map than the rest. */
  ReferenceCheck(Section body, Section beside, List<Parameter> parameters, List<StepDraft> drafts) {
    this.body = body;
    this.beside = beside;
    this.parameters = parameters;
    for (StepDraft draft : drafts) {
      steps.putIfAbsent(draft.name(), draft);
      variables.addAll(draft.step().setVariables().keySet());
    }
    variables.addAll(beside.openMap("variables").keySet());
  }

  void check() {
    steps.values().forEach(this::check);
    for (Mention mention : mentions(beside, "variables")) {
      exists(mention, beside);
      if (mention.names().getFirst().equals("steps")) {
        mention.error(beside, "unknown-step", "variables are set before any step runs", null);
      }
    }
    mentions(body, "outputs").forEach(mention -> exists(mention, body));
  }

  private List<Mention> mentions(Section section, String key) {
    return reader(section).values(value(section, key), path(section, key)).found();
  }

  private void check(StepDraft draft) {
    for (Mention mention : mentions(draft, Part.BEFORE)) {
      if (stepOf(mention).filter(draft.name()::equals).isPresent()) {
        mention.error(draft.section(), "self-reference", "a step cannot use its own results", null);
      } else {
        exists(mention, draft.section());
        note(mention, draft);
      }
    }
    for (Mention mention : mentions(draft, Part.AFTER)) {
      exists(mention, draft.section());
      stepOf(mention)
          .filter(name -> !name.equals(draft.name()))
          .ifPresent(_ -> note(mention, draft));
    }
    for (StepDraft inner : draft.inner()) {
      mentions(inner, Part.BEFORE).forEach(mention -> exists(mention, inner.section()));
    }
  }

  /** A chain that stops at {@code .steps} may mean any of them. */
  private void note(Mention mention, StepDraft draft) {
    if (mention.names().equals(List.of("steps"))) {
      for (String name : steps.keySet()) {
        if (name.equals(draft.name())) {
          return;
        }
        draft.mentioned().add(name);
      }
    }
    Optional<String> name = stepOf(mention).filter(steps::containsKey);
    if (name.isPresent() && isLater(name.get(), draft) && noOrder(name.get())) {
      mention.error(
          draft.section(),
          "later-step",
          "step '" + name.get() + "' runs after this one, so its results are not known here",
          null);
    } else {
      name.ifPresent(draft.mentioned()::add);
    }
  }

  private boolean isLater(String name, StepDraft draft) {
    List<String> order = new ArrayList<>(steps.keySet());
    return order.indexOf(name) > order.indexOf(draft.name());
  }

  private boolean noOrder(String name) {
    StepDraft draft = Objects.requireNonNull(steps.get(name), "callers name a step");
    return draft.dependsOn().isEmpty() && draft.group().isEmpty();
  }

  private static Optional<String> stepOf(Mention mention) {
    boolean step = mention.names().getFirst().equals("steps") && mention.names().size() > 1;
    return step ? Optional.of(mention.names().get(1)) : Optional.empty();
  }

  /** Whether a part of a step is rendered before it runs, or after. */
  private enum Part {
    BEFORE,
    AFTER
  }

  private List<Mention> mentions(StepDraft draft, Part part) {
    Section section = draft.section();
    MentionReader reader = reader(section);
    if (part == Part.AFTER) {
      return reader.values(value(section, "setVariables"), path(section, "setVariables")).found();
    }
    for (String key : List.of("env", "outputFile", "parameters")) {
      reader.values(value(section, key), path(section, key));
    }
    for (String key : List.of(LegacyForms.ifKey(section, draft.type()), "unless")) {
      reader.condition(value(section, key), path(section, key));
    }
    if (!draft.step().conditions().isEmpty()) {
      when(reader, section);
    }
    draft.type().ifPresent(type -> config(reader, draft, type));
    return reader.found();
  }

  private static void when(MentionReader reader, Section section) {
    boolean word = section.text("when").filter(w -> w.matches("[a-z_-]+")).isPresent();
    if (!word) {
      reader.condition(value(section, "when"), path(section, "when"));
    }
  }

  private void config(MentionReader reader, StepDraft draft, StepType type) {
    Section step = draft.section();
    Optional<Section> config = step.section("config");
    for (StepType.Field field : type.fields()) {
      for (ConfigParser.Written written : ConfigParser.written(step, config, field)) {
        Path path = path(written.where(), written.key());
        field(reader, draft, field.kind(), written.value(), path);
        if (field.grant().isPresent() && written.value() instanceof Located.Scalar scalar) {
          granted(written, field, scalar.text());
        }
      }
    }
  }

  /** A value that needs a grant is the provider's choice, or what a step of this workflow makes. */
  private void granted(ConfigParser.Written written, StepType.Field field, String text) {
    boolean made =
        ProviderChoice.output(text)
            .map(steps::get)
            .flatMap(StepDraft::type)
            .filter(type -> field.makers().contains(type.name()))
            .isPresent();
    if (!made && !ProviderChoice.made(text)) {
      written
          .where()
          .error(
              written.key(),
              "not-fixed",
              "'" + written.key() + "' cannot depend on parameters, variables or outputs",
              "Write its name, or {{ .config.NAME }} with NAME below configuration in provider.yaml"
                  + (field.makers().isEmpty()
                      ? "."
                      : ", or an output of a step of type "
                          + String.join(" or ", field.makers())
                          + "."));
    }
  }

  private void field(MentionReader reader, StepDraft draft, Kind kind, Located value, Path path) {
    CodeCheck check = new CodeCheck(draft.section(), parameters, steps.keySet());
    switch (kind) {
      case CONDITION -> reader.condition(value, path);
      case SCRIPT -> {
        reader.script(value, path);
        if (value instanceof Located.Scalar scalar && scalar.plain() instanceof String) {
          Object interpreter = draft.step().config().get("interpreter");
          check.script(scalar, path, interpreter instanceof String text ? text : null);
        }
      }
      case SQL -> {
        reader.values(value, path);
        check.sql(value, path);
      }
      case MANIFEST -> {
        reader.values(value, path);
        manifest(draft.section(), value, path);
      }
      case VALUE, TEXT, NUMBER, BOOLEAN, DURATION, LIST, MAP -> reader.values(value, path);
    }
  }

  private static void manifest(Section section, Located value, Path path) {
    if (value instanceof Located.Scalar scalar && scalar.plain() instanceof String text) {
      ManifestRendering.problem(text)
          .ifPresent(
              problem ->
                  section
                      .diagnostics()
                      .add(
                          Diagnostic.error(
                              "invalid-manifest",
                              section.document().file(),
                              path,
                              scalar.at(),
                              String.valueOf(problem.getMessage()),
                              problem.hint().orElse(null))));
    }
  }

  private void exists(Mention mention, Section section) {
    String root = mention.names().getFirst();
    switch (root) {
      case "parameters" -> parameter(mention, section);
      case "steps" -> step(mention, section);
      case "variables" -> variable(mention, section);
      default -> {
        if (!ROOTS.contains(root) && !PLACEHOLDER_ROOTS.contains(root)) {
          mention.error(
              section,
              "unknown-root",
              "there is no '" + root + "' here",
              Nearest.hintOrList(root, ROOTS));
        }
      }
    }
  }

  /** An undeclared name may still be a param of the resource, so only a likely typo is an error. */
  private void parameter(Mention mention, Section section) {
    if (mention.names().size() < 2 || parameters.isEmpty()) {
      return;
    }
    String name = mention.names().get(1);
    List<String> known = new ArrayList<>(parameters.stream().map(Parameter::name).toList());
    if (known.contains(name) || ParameterBinding.INJECTED.contains(name)) {
      return;
    }
    known.addAll(ParameterBinding.INJECTED);
    String hint = Nearest.hint(name, known);
    String message = "parameter '" + name + "' is not declared";
    if (hint != null) {
      mention.error(section, "unknown-parameter", message, hint);
    } else {
      mention.warning(section, "undeclared-parameter", message, "Declare it under 'parameters'.");
    }
  }

  private void variable(Mention mention, Section section) {
    String name = mention.names().size() < 2 ? null : mention.names().get(1);
    if (name != null && !variables.contains(name)) {
      mention.error(
          section,
          "unknown-variable",
          "there is no variable '" + name + "'",
          Nearest.hintOrList(name, variables));
    }
  }

  private void step(Mention mention, Section section) {
    if (mention.names().size() < 2) {
      return;
    }
    String name = mention.names().get(1);
    StepDraft step = steps.get(name);
    if (step == null) {
      mention.error(
          section,
          "unknown-step",
          "there is no step '" + name + "'",
          Nearest.hintOrList(name, steps.keySet()));
    } else if (mention.names().size() > 2) {
      output(mention, step.step(), section);
    }
  }

  private static void output(Mention mention, Step step, Section section) {
    String field = mention.names().get(2);
    if (!OF_A_STEP.contains(field)) {
      mention.error(
          section,
          "unknown-field",
          "a step has no '" + field + "'",
          "Write " + String.join(".", mention.names().subList(0, 2)) + ".output." + field + ".");
    } else if (field.startsWith("output") && mention.names().size() > 3) {
      Set<String> known = new HashSet<>(step.outputs());
      String name = mention.names().get(3);
      if (!known.isEmpty() && !known.contains(name) && !step.capture().containsKey(name)) {
        mention.error(
            section,
            "unknown-output",
            "step '" + step.name() + "' has no output '" + name + "'",
            Nearest.hintOrList(name, step.outputs()));
      }
    }
  }

  private MentionReader reader(Section section) {
    return new MentionReader(section, steps.keySet());
  }

  private static @Nullable Located value(Section section, String key) {
    return section.located(key).orElse(null);
  }

  private static Path path(Section section, String key) {
    return section.path().child(key);
  }
}
