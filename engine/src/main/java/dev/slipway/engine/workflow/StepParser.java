package dev.slipway.engine.workflow;

import static dev.slipway.engine.workflow.WorkflowForms.ON_ERROR;

import dev.slipway.engine.intake.Located;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.intake.Section;
import dev.slipway.engine.workflow.Step.Condition;
import dev.slipway.engine.workflow.Step.OnError;
import dev.slipway.engine.workflow.Step.SubWorkflow;
import dev.slipway.engine.workflow.Step.When;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Reads the steps of a workflow, each by itself; how they hang together comes afterwards. */
final class StepParser {
  static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(10);
  static final int MOST_STEPS = 500;
  static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}");

  private final StepTypes types;
  private final Set<String> names = new HashSet<>();

  StepParser(StepTypes types) {
    this.types = types;
  }

  List<StepDraft> parse(List<Section> sections) {
    if (sections.size() > MOST_STEPS) {
      sections
          .get(MOST_STEPS)
          .error("too-many-steps", "a workflow may have at most " + MOST_STEPS + " steps", null);
      return List.of();
    }
    List<StepDraft> drafts = new ArrayList<>();
    sections.forEach(section -> drafts.add(step(section)));
    return drafts;
  }

  private StepDraft step(Section section) {
    String name = name(section);
    Optional<SubWorkflow> sub = SubWorkflowParser.parse(section);
    Optional<StepType> type = type(section, sub);
    section.only(fields(type));
    Map<String, Object> config = new ConfigParser(section, type).config();
    List<Condition> conditions = new ArrayList<>();
    When when = StepConditions.when(section, conditions);
    StepConditions.conditions(section, type, conditions);
    List<StepDraft> compensation = inner(section, "compensate");
    StepResults results = new StepResults(section);
    List<StepDraft> rollback = new ArrayList<>();
    OnError onError = onError(section, rollback);
    Optional<String> group = group(section);
    Optional<List<String>> dependsOn =
        section.has("dependsOn")
            ? Optional.of(section.stringOrStrings("dependsOn"))
            : Optional.empty();
    Step step =
        new Step(
            name,
            type.map(StepType::name).orElse(section.string("type", "")),
            config,
            when,
            conditions,
            List.of(),
            section.duration("timeout", sub.isPresent() ? Step.NO_TIMEOUT : DEFAULT_TIMEOUT),
            new RetryParser(section).retry(type.map(StepType::defaultAttempts).orElse(1)),
            results.env(),
            section.strings("outputs"),
            section.string("outputFile").orElse(null),
            results.capture(),
            section.openMap("setVariables"),
            onError,
            steps(compensation),
            sub);
    section.string("description");
    section.noOtherKeys();
    List<StepDraft> inner = new ArrayList<>(compensation);
    inner.addAll(rollback);
    return new StepDraft(step, section, type, dependsOn, group, new TreeSet<>(), inner);
  }

  private static Set<String> fields(Optional<StepType> type) {
    Set<String> names = new LinkedHashSet<>(StepForms.STEP.names());
    type.ifPresent(t -> t.fields().forEach(field -> names.addAll(field.names())));
    return names;
  }

  private String name(Section section) {
    String name =
        section.requiredMatching(
            "name", NAME, "a step's name (letters, digits, hyphens and underscores)");
    if (!name.isEmpty() && !names.add(name)) {
      section.error("name", "duplicate-name", "two steps are called '" + name + "'", null);
    }
    return name;
  }

  private Optional<StepType> type(Section section, Optional<SubWorkflow> sub) {
    if (sub.isPresent() && !section.has("type")) {
      return types.find("workflow");
    }
    String written = section.requiredString("type");
    Optional<StepType> type = types.find(written);
    if (type.isEmpty() && !written.isEmpty()) {
      section.error(
          "type",
          "unknown-step-type",
          "there is no executor for steps of type '" + written + "'",
          LegacyForms.instead(written).orElseGet(() -> Nearest.hintOrList(written, types.names())));
    }
    if (written.equals("workflow") && sub.isEmpty()) {
      section.error("missing-field", "a step of type workflow needs 'workflow'", null);
    }
    return type;
  }

  private static Optional<String> group(Section section) {
    boolean parallel = section.bool("parallel", false);
    Optional<String> group = section.text("parallelGroup");
    if (group.isPresent() && !parallel) {
      section.warning(
          "parallelGroup",
          "no-effect",
          "'parallelGroup' has no effect without 'parallel: true'",
          "Add 'parallel: true'.");
    }
    return parallel ? Optional.of(group.orElse("")) : Optional.empty();
  }

  private OnError onError(Section section, List<StepDraft> rollback) {
    if (section.has("continueOnError")) {
      section.warning(
          "continueOnError", "legacy-form", "an old field", "Write 'on_error: continue'.");
      if (section.bool("continueOnError", false) && !section.has("onError")) {
        return new OnError(OnError.Action.CONTINUE, List.of());
      }
    }
    if (section.located("onError").orElse(null) instanceof Located.Mapping) {
      Section fields = section.section("onError").orElseThrow().only(ON_ERROR.names());
      OnError.Action action =
          fields.choice("action", OnError.Action.class, OnError.Action.ROLLBACK);
      rollback.addAll(inner(fields, "rollbackSteps"));
      fields.noOtherKeys();
      return new OnError(action, steps(rollback));
    }
    return new OnError(
        section.choice("onError", OnError.Action.class, OnError.Action.FAIL), List.of());
  }

  private List<StepDraft> inner(Section section, String key) {
    List<StepDraft> drafts = new ArrayList<>();
    for (Section each : section.sections(key)) {
      StepDraft draft = step(each);
      if (!draft.inner().isEmpty()) {
        each.error("invalid-value", "a compensating step has no compensation of its own", null);
      }
      for (String field : List.of("dependsOn", "parallel")) {
        if (each.has(field)) {
          each.warning(
              field,
              "no-effect",
              "'" + field + "' has no effect here: what undoes runs one after the other",
              "Remove it; the order is that of the list.");
        }
      }
      drafts.add(draft);
    }
    return drafts;
  }

  private static List<Step> steps(List<StepDraft> drafts) {
    return drafts.stream().map(StepDraft::step).toList();
  }
}
