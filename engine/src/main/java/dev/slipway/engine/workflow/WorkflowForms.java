package dev.slipway.engine.workflow;

import static dev.slipway.engine.grammar.Field.old;
import static dev.slipway.engine.grammar.Field.optional;
import static dev.slipway.engine.grammar.Field.required;

import dev.slipway.engine.grammar.Field;
import dev.slipway.engine.grammar.Form;
import dev.slipway.engine.grammar.Rule;
import dev.slipway.engine.grammar.Shape;
import dev.slipway.engine.grammar.Shape.Either;
import dev.slipway.engine.grammar.Shape.In;
import dev.slipway.engine.grammar.Shape.ListOf;
import dev.slipway.engine.grammar.Shape.MapOf;
import dev.slipway.engine.grammar.Shape.Matching;
import dev.slipway.engine.grammar.Shape.Whole;
import dev.slipway.engine.grammar.Shape.Words;
import java.util.List;

/** Every map of a workflow file but the steps, whose fields depend on their type. */
public final class WorkflowForms {
  static final String FLAT = "innominatus.io/v1alpha1";
  static final List<String> WRAPPED = List.of("workflow.dev/v1", "orchestrator.innominatus.dev/v1");
  static final List<String> VERSIONS = List.of(FLAT, WRAPPED.getFirst(), WRAPPED.getLast());
  static final String NAME = "[A-Za-z_][A-Za-z0-9_-]{0,99}";

  private static final Shape BOUND = new Either(Shape.NUMBER, Shape.DURATION);
  private static final Words TYPES = new Words(List.copyOf(ParameterParser.TYPES.keySet()));

  /** What a parameter says but its name. */
  public static final Form PARAMETER_BY_NAME =
      Form.of(
              "parameterByName",
              "",
              optional(
                  "type",
                  TYPES,
                  "any value",
                  "what the value must be; text becomes a number, a boolean or an entry of `enum`"
                      + " only where nothing is lost"),
              optional(
                  "required", Shape.TRUTH, "false", "a missing value stops before the first step"),
              optional(
                  "default",
                  Shape.ANYTHING,
                  "the value when none is given; templates in it may use other parameters"),
              optional("description", Shape.TEXT, "shown to users"),
              optional(
                  "enum",
                  new ListOf(Shape.ANYTHING, 1, Integer.MAX_VALUE),
                  "the only values allowed"),
              optional(
                  "allowedValues",
                  new ListOf(Shape.ANYTHING, 1, Integer.MAX_VALUE),
                  "the same as `enum`"),
              optional(
                  "pattern",
                  Shape.TEXT,
                  "a regular expression as for RE2 that describes the whole value, from ^ to $"),
              optional(
                  "min", BOUND, "the least number, duration, length of text, or count of entries"),
              optional(
                  "max",
                  BOUND,
                  "the greatest number, duration, length of text, or count of entries"),
              optional(
                  "secret",
                  Shape.TRUTH,
                  "true for type secret, and for names such as password",
                  "the value is encrypted at rest and shown as ***"),
              optional(
                  "identifying",
                  Shape.TRUTH,
                  "false",
                  "part of how the real thing is found: read, update and delete get the value of"
                      + " the create run whatever the document says, and a document that changes"
                      + " it plans a replacement"))
          .with(
              new Rule.Where(
                  "type",
                  List.of("duration"),
                  List.of(),
                  List.of(optional("min", Shape.NUMBER, ""), optional("max", Shape.NUMBER, ""))),
              new Rule.Only("type", List.of("enum"), new Rule.AtLeastOne("enum", "allowedValues")),
              new Rule.AtMostOne("enum", "allowedValues"));

  /** A parameter in a list. */
  public static final Form PARAMETER = parameter();

  private static Form parameter() {
    Field name =
        required(
            "name",
            new Matching(NAME, "a name"),
            "by which it is given and used, as in `{{ .parameters.NAME }}`");
    return Form.of("parameter", "One entry of `parameters`.", name)
        .extended("parameter", PARAMETER_BY_NAME.fields())
        .with(PARAMETER_BY_NAME.rules().toArray(Rule[]::new));
  }

  public static final Form RETRY =
      Form.of(
          "retry",
          "How often a step is tried. A whole number stands for `{attempts: n}`.",
          optional(
              "attempts",
              new Whole(1, RetryParser.MOST_ATTEMPTS),
              "3 for http, git and kubernetes, else 1",
              "attempts in all, the first one too"),
          optional(
              "backoff",
              new Words("fixed", "linear", "exponential"),
              "exponential",
              "how the delay grows"),
          optional("delay", Shape.DURATION, "5s", "before the second attempt"),
          optional("maxDelay", Shape.DURATION, "5m", "the longest delay"),
          optional(
              "jitter", Shape.NUMBER, "0.2", "0 to 1: by which share a delay varies by chance"),
          optional(
              "on",
              new Words("transient", "any"),
              "transient",
              "which failures are tried again: those that may pass by themselves, or all"));

  public static final Form CAPTURE =
      Form.of(
              "capture",
              "One entry of `capture`: an output cut out of what a step left behind.",
              optional(
                  "from",
                  new Words("stdout", "body", "object"),
                  "stdout",
                  "where to look: standard output, the body of an answer, or the object worked on"),
              optional("jsonPath", Shape.TEXT, "a path such as `$.items[0].name`"),
              optional(
                  "regex", Shape.TEXT, "a pattern as for RE2; its first group, or all it matches"))
          .with(new Rule.ExactlyOne("jsonPath", "regex"));

  public static final Form ON_ERROR =
      Form.of(
          "onError",
          "What happens after the last failed attempt. A word alone stands for `{action: word}`.",
          optional(
              "action",
              new Words("fail", "continue", "rollback"),
              "rollback",
              "fail the run; go on with a warning; or undo what was done and fail"),
          optional(
              "rollbackSteps",
              new ListOf(new In("innerStep")),
              "steps that run first in a rollback, before `compensate` of the finished steps"));

  static final Form METADATA =
      Form.of(
          "metadata",
          "What the workflow is called.",
          required("name", Shape.FILLED, "the workflow's name"),
          optional("description", Shape.TEXT, "what it does"),
          optional("version", Shape.ANYTHING, "kept for people; means nothing here"),
          optional("labels", Shape.ANYTHING, "kept for people; means nothing here"),
          optional("annotations", Shape.ANYTHING, "kept for people; means nothing here"),
          optional("tags", Shape.ANYTHING, "kept for people; means nothing here"));

  static final Form OUTPUT =
      Form.of(
          "output",
          "One entry of the workflow's `outputs`, when it is more than a template.",
          required("value", Shape.ANYTHING, "a template, or a tree with templates in it"),
          optional(
              "secret",
              Shape.TRUTH,
              "false, or true where it embeds a secret",
              "encrypted at rest and shown as ***"),
          optional("description", Shape.TEXT, "shown to users"));

  static final Form LISTED_OUTPUT =
      Form.of("listedOutput", "")
          .extended("listedOutput", OUTPUT.fields())
          .extended("listedOutput", List.of(required("name", Shape.FILLED, "its name")));

  private static final List<Field> BODY =
      List.of(
          optional(
              "parameters",
              new Either(new ListOf(new In(PARAMETER)), new MapOf(new In(PARAMETER_BY_NAME))),
              "what it takes; see [parameters](#parameter)"),
          optional(
              "variables",
              Shape.OPEN_MAP,
              "values by name, set before the first step; each may use those before it"),
          required(
              "steps",
              new ListOf(new In("step"), 1, StepParser.MOST_STEPS),
              "what it does, in order; see [steps](#step)"),
          optional(
              "outputs",
              new Either(
                  new MapOf(new Shape.Looking("value", new In(OUTPUT))),
                  new ListOf(new In(LISTED_OUTPUT))),
              "its results by name: templates, or `{value, secret, description}`; one that cannot"
                  + " be rendered fails the run"),
          old(
              "inputs",
              new Either(new ListOf(new In(PARAMETER)), new MapOf(new In(PARAMETER_BY_NAME))),
              "write `parameters`"),
          optional("description", Shape.ANYTHING, "kept for people; means nothing here"),
          optional("version", Shape.ANYTHING, "kept for people; means nothing here"));

  static final Form SPEC = Form.of("spec", "").extended("spec", BODY);

  private static final List<Field> HEAD =
      List.of(
          required("apiVersion", new Words(FLAT), "`" + FLAT + "`, or one of the two that wrap"),
          required("kind", new Words("Workflow"), "`Workflow`"),
          required("metadata", new In(METADATA), "`name`, `description`"));

  static final Form FLAT_FILE =
      Form.of("workflow", "The file as a whole.")
          .extended("workflow", HEAD)
          .extended("workflow", BODY);

  static final Form WRAPPED_FILE =
      Form.of("wrappedWorkflow", "")
          .extended("wrappedWorkflow", HEAD)
          .extended(
              "wrappedWorkflow",
              List.of(
                  required("apiVersion", new Words(VERSIONS), "which of the forms this is"),
                  required("spec", new In(SPEC), "`parameters`, `variables`, `steps`, `outputs`"),
                  old("variables", Shape.OPEN_MAP, "write them below `spec`")));

  private WorkflowForms() {}
}
