package dev.slipway.engine.workflow;

import static dev.slipway.engine.grammar.Field.old;
import static dev.slipway.engine.grammar.Field.optional;
import static dev.slipway.engine.grammar.Field.required;

import dev.slipway.engine.grammar.Field;
import dev.slipway.engine.grammar.Form;
import dev.slipway.engine.grammar.Grammar;
import dev.slipway.engine.grammar.Rule;
import dev.slipway.engine.grammar.Shape;
import dev.slipway.engine.grammar.Shape.Either;
import dev.slipway.engine.grammar.Shape.In;
import dev.slipway.engine.grammar.Shape.ListOf;
import dev.slipway.engine.grammar.Shape.MapOf;
import dev.slipway.engine.grammar.Shape.Matching;
import dev.slipway.engine.grammar.Shape.Variants;
import dev.slipway.engine.grammar.Shape.Whole;
import dev.slipway.engine.grammar.Shape.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The fields of steps, and the grammar of workflow files with given step types. */
public final class StepForms {
  private static final Shape CONDITION = Shape.SCALAR;

  /** What every step may say, whatever its type. */
  public static final Form STEP =
      Form.of(
          "step",
          "One entry of `steps`. Fields of the executor may also stand beside `config`.",
          required(
              "name",
              new Matching(
                  StepParser.NAME.pattern(),
                  "a step's name (letters, digits, hyphens and underscores)"),
              "unique in the workflow"),
          required("type", Shape.TEXT, "which executor; see the [step types](#step-types)"),
          optional("config", Shape.OPEN_MAP, "what the executor needs; see the step types"),
          optional(
              "when",
              CONDITION,
              "on_success",
              "`always`, `on_success`, `on_failure`, `manual` (an approval first), or an"
                  + " expression"),
          optional("if", CONDITION, "an expression that must be true, else the step is skipped"),
          optional("unless", CONDITION, "an expression that must be false, else it is skipped"),
          optional(
              "parallel",
              Shape.TRUTH,
              "false",
              "starts together with its neighbours that say the same"),
          optional(
              "parallelGroup", Shape.SCALAR, "only neighbours with the same group start together"),
          optional(
              "dependsOn",
              Shape.TEXT_OR_TEXTS,
              "all earlier steps",
              "waits only for these steps and those its templates use; `[]` starts at once"),
          optional(
              "timeout", Shape.DURATION, "10m", "of one attempt; waiting for approval is free"),
          optional(
              "retry",
              new Either(new Whole(1, RetryParser.MOST_ATTEMPTS), new In(WorkflowForms.RETRY)),
              "see [retry](#retry)"),
          optional(
              "env",
              new Either(
                  new MapOf(new Either(Shape.SCALAR, new Shape.Nothing())),
                  new ListOf(new In("listedEnv"))),
              "environment variables, and what `$VAR` and `${VAR}` mean here"),
          optional(
              "outputs",
              Shape.TEXTS,
              "only these outputs are kept; a single one takes the last line when nothing else is"
                  + " found"),
          optional("outputFile", Shape.TEXT, "a file of JSON or name=value lines with outputs"),
          optional(
              "capture",
              new MapOf(new In(WorkflowForms.CAPTURE)),
              "outputs cut out of its results; see [capture](#capture)"),
          optional(
              "setVariables",
              Shape.OPEN_MAP,
              "variables for later steps; templates may use this step's own outputs"),
          optional(
              "onError",
              new Either(new Words("fail", "continue", "rollback"), new In(WorkflowForms.ON_ERROR)),
              "fail",
              "see [onError](#onerror)"),
          optional(
              "compensate",
              new ListOf(new In("innerStep")),
              "steps that undo this one in a rollback, once it had succeeded"),
          optional(
              "workflow",
              Shape.TEXT,
              "for type workflow: `name`, or `provider/name`; its outputs become the step's"),
          optional("parameters", Shape.OPEN_MAP, "for type workflow: what it is given"),
          optional("description", Shape.TEXT, "for people"),
          old("condition", CONDITION, "write `if`"),
          old("continueOnError", Shape.TRUTH, "write `on_error: continue`"),
          old(
              "retries",
              new Whole(0, RetryParser.MOST_ATTEMPTS - 1),
              "write `retry: {attempts: n}`"));

  static final Form LISTED_ENV =
      Form.of(
          "listedEnv",
          "",
          required("name", Shape.FILLED, "the variable"),
          optional("value", Shape.SCALAR, "its value"));

  private static final Form INNER_ON_ERROR =
      WorkflowForms.ON_ERROR
          .named("innerOnError")
          .extended(
              "innerOnError",
              List.of(optional("rollbackSteps", new ListOf(Shape.ANYTHING, 0, 0), "")));

  private StepForms() {}

  /** The fields of a step of this type that stand below {@code config}. */
  public static Form config(StepType type) {
    String name = "config-" + type.name();
    List<Field> fields = type.fields().stream().flatMap(field -> inside(field).stream()).toList();
    return Form.of(name, "").extended(name, fields);
  }

  /** The field by each of its names. */
  private static List<Field> inside(StepType.Field field) {
    Shape shape =
        field.choices().isEmpty()
            ? shape(field.kind())
            : new Shape.Templated(new Words(field.choices()));
    return field.names().stream().map(name -> optional(name, shape, field.description())).toList();
  }

  /** All that a step of this type may say. */
  static Form step(StepType type) {
    List<Field> more = new ArrayList<>();
    for (StepType.Field field : type.fields()) {
      for (Field spelled : inside(field)) {
        if (!ConfigParser.OF_THE_STEP.contains(spelled.name())) {
          more.add(spelled);
        }
      }
    }
    boolean sub = type.name().equals("workflow");
    more.add(optional("type", new Words(names(type)), "the step's type"));
    more.add(optional("config", new In("config-" + type.name()), "what the executor needs"));
    if (sub) {
      more.add(required("workflow", Shape.FILLED, "`name`, or `provider/name`"));
    }
    Form form = (sub ? STEP : STEP.without("workflow", "parameters"));
    return form.extended("step-" + type.name(), more).with(rules(type));
  }

  private static Rule[] rules(StepType type) {
    List<Rule> rules = new ArrayList<>();
    for (StepType.Field field : type.fields()) {
      if (field.need() == StepType.Need.REQUIRED) {
        rules.add(new Rule.AtLeastOne(field.names()));
      }
    }
    for (StepType.Choice choice : type.choices()) {
      rules.add(
          switch (choice.count()) {
            case EXACTLY_ONE -> new Rule.ExactlyOne(choice.names());
            case AT_LEAST_ONE -> new Rule.AtLeastOne(choice.names());
            case AT_MOST_ONE -> new Rule.AtMostOne(choice.names());
          });
    }
    return rules.stream()
        .map(rule -> new Rule.Spread("config", rule, List.copyOf(ConfigParser.OF_THE_STEP)))
        .toArray(Rule[]::new);
  }

  /** What a field's value may look like before templates are rendered. */
  static Shape shape(StepType.Kind kind) {
    return switch (kind) {
      case VALUE -> Shape.ANYTHING;
      case TEXT, CONDITION -> Shape.SCALAR;
      case NUMBER ->
          new Shape.Templated(
              new Either(Shape.NUMBER, new Matching(ExactNumber.DECIMAL.pattern(), "a number")));
      case BOOLEAN -> new Shape.Templated(new Either(Shape.TRUTH, new Words("true", "false")));
      case DURATION -> new Shape.Templated(Shape.DURATION);
      case LIST -> new Shape.Templated(new ListOf(Shape.ANYTHING));
      case MAP -> new Shape.Templated(Shape.OPEN_MAP);
      case SCRIPT -> Shape.TEXT;
      case SQL -> Shape.TEXT_OR_TEXTS;
      case MANIFEST -> new Either(Shape.TEXT, Shape.OPEN_MAP, new ListOf(Shape.OPEN_MAP));
    };
  }

  /** Everything that a workflow file may hold. */
  public static Grammar grammar(StepTypes types) {
    List<Form> forms =
        new ArrayList<>(
            List.of(
                WorkflowForms.FLAT_FILE,
                WorkflowForms.WRAPPED_FILE,
                WorkflowForms.SPEC,
                WorkflowForms.METADATA,
                WorkflowForms.PARAMETER,
                WorkflowForms.PARAMETER_BY_NAME,
                WorkflowForms.OUTPUT,
                WorkflowForms.LISTED_OUTPUT,
                WorkflowForms.RETRY,
                WorkflowForms.CAPTURE,
                WorkflowForms.ON_ERROR,
                INNER_ON_ERROR,
                LISTED_ENV));
    for (StepType type : types.all()) {
      forms.add(config(type));
      forms.add(step(type));
    }
    return new Grammar(
        "workflow",
        "A Slipway workflow",
        new Shape.Given(
            "spec", new In(WorkflowForms.WRAPPED_FILE), new In(WorkflowForms.FLAT_FILE)),
        Grammar.Spellings.CAMEL_AND_SNAKE,
        forms,
        shapes(types));
  }

  private static java.util.SequencedMap<String, Shape> shapes(StepTypes types) {
    List<Variants.Variant> variants =
        types.all().stream()
            .map(t -> new Variants.Variant(names(t), new In("step-" + t.name())))
            .toList();
    Optional<In> untyped = types.find("workflow").map(_ -> new In("step-workflow"));
    java.util.SequencedMap<String, Shape> shapes = new java.util.LinkedHashMap<>();
    shapes.put("step", new Variants("type", variants, untyped));
    shapes.put(
        "innerStep",
        new Shape.Narrowed(
            new In("step"),
            List.of(
                optional("compensate", new ListOf(Shape.ANYTHING, 0, 0), ""),
                optional(
                    "onError",
                    new Either(new Words("fail", "continue", "rollback"), new In(INNER_ON_ERROR)),
                    ""))));
    return shapes;
  }

  private static List<String> names(StepType type) {
    List<String> names = new ArrayList<>(List.of(type.name()));
    names.addAll(type.aliases().stream().sorted().toList());
    return names;
  }
}
