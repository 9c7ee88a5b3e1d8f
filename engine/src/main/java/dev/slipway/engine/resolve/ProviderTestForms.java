package dev.slipway.engine.resolve;

import static dev.slipway.engine.grammar.Field.optional;
import static dev.slipway.engine.grammar.Field.required;

import dev.slipway.engine.grammar.Form;
import dev.slipway.engine.grammar.Grammar;
import dev.slipway.engine.grammar.Rule;
import dev.slipway.engine.grammar.Shape;
import dev.slipway.engine.grammar.Shape.Either;
import dev.slipway.engine.grammar.Shape.In;
import dev.slipway.engine.grammar.Shape.ListOf;
import dev.slipway.engine.grammar.Shape.MapOf;
import dev.slipway.engine.grammar.Shape.Words;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.lifecycle.StepState;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;

/** Every map of a file with test cases of a provider. */
public final class ProviderTestForms {
  /** The state of a resource that a case has made. */
  public static final String ACTIVE = "active";

  /** States in which a case may expect its resource; what owns resources has the same. */
  public static final List<String> RESOURCE_STATES =
      List.of(
          "requested",
          "provisioning",
          ACTIVE,
          "updating",
          "degraded",
          "failed",
          "deprovisioning",
          "deleted");

  private static final Form FAULT =
      Form.of(
          "fault",
          "Why something failed or was refused; what is left out is not compared.",
          optional("code", Shape.TEXT, "its stable code"),
          optional("message", Shape.TEXT, "a part of its message"));

  private static final Form FAILURE =
      Form.of(
          "failure",
          "A recorded failure.",
          optional("code", Shape.TEXT, "its stable code"),
          optional("message", Shape.TEXT, "a sentence"),
          optional("hint", Shape.TEXT, "what to do about it"),
          optional("transient", Shape.TRUTH, "false", "whether another attempt may help"));

  private static final Form ANSWER =
      Form.of(
          "answer",
          "What a recorded step answers instead of being executed.",
          optional("outputs", Shape.OPEN_MAP, "its outputs"),
          optional("stdout", Shape.TEXT, "read as what a program prints"),
          optional("failure", new In(FAILURE), "it fails"));

  private static final Form STEP =
      Form.of(
          "expectedStep",
          "A step and what must have come of it.",
          required("name", Shape.FILLED, "its name"),
          optional("status", words(StepState.values()), "how it ended"),
          optional("attempts", new Shape.Whole(1, 1000), "which attempt was its last"),
          optional("inputs", Shape.OPEN_MAP, "what it was given, rendered"),
          optional("outputs", Shape.OPEN_MAP, "what it made known"),
          optional("error", new In(FAULT), "why it failed"));

  private static final Form EXPECT =
      Form.of(
          "expect",
          "What must come of an action; what is not said is not compared.",
          optional("state", new Words(RESOURCE_STATES), "of the resource"),
          optional("run", words(RunState.values()), "how the run ended"),
          optional("workflow", Shape.TEXT, "which one ran"),
          optional(
              "steps",
              new ListOf(new Either(new In(STEP), new MapOf(words(StepState.values())))),
              "all steps in the order in which they began, in full or as `NAME: STATUS`"),
          optional("order", new Words("listed", "any"), "listed", "whether the order counts"),
          optional("outputs", Shape.OPEN_MAP, "those named are compared"),
          optional("failure", new In(FAULT), "why the run failed"),
          optional("refused", new In(FAULT), "why it was not accepted"));

  private static final Shape RECORDED =
      new MapOf(new Either(new In(ANSWER), new ListOf(new In(ANSWER))));

  private static final Form ACTION =
      Form.of(
          "action",
          "One thing that is done.",
          optional("operation", new Words("create", "update", "read", "delete", "run"), "what"),
          optional("params", Shape.OPEN_MAP, "with which params"),
          optional("recorded", RECORDED, "by step: answers instead of executing it"),
          optional("expect", new In(EXPECT), "it succeeds", "what must come of it"));

  private static final Form SHARED =
      Form.of(
          "shared",
          "What resources of several teams may have in common.",
          optional("outputs", Shape.TEXTS, "names of outputs"),
          optional("files", Shape.TEXTS, "patterns of files in the provider's data directory"));

  private static final Form EXISTING =
      Form.of(
          "existing",
          "Something without the provider's stamp that is there before the provider creates.",
          required("script", Shape.FILLED, "makes it"),
          optional("params", Shape.OPEN_MAP, "with those of the case, they ask for it"));

  private static final Form OWNERSHIP =
      Form.of(
              "ownership",
              "About the attempts of another team that run beside the case.",
              optional("skip", Shape.FILLED, "why they do not run"),
              optional("verify", Shape.FILLED, "a script whose output must stay the same"),
              optional("shared", new In(SHARED), "what may be in common"),
              optional("existing", new In(EXISTING), "what is in the way"))
          .with(
              new Rule.AtMostOne("skip", "verify"),
              new Rule.AtMostOne("skip", "shared"),
              new Rule.AtMostOne("skip", "existing"));

  private static final Form CASE =
      Form.of(
              "case",
              "One case.",
              required("name", Shape.FILLED, "a sentence that says what holds"),
              optional("type", Shape.FILLED, "the resource type that is asked for"),
              optional("goldenPath", Shape.FILLED, "or the golden path that is started"),
              optional("application", Shape.TEXT, "from the name", "under which name"),
              optional("environment", Shape.TEXT, "default", "where"),
              optional("resource", Shape.TEXT, "subject", "the resource's name"),
              optional("class", Shape.TEXT, "its class"),
              optional("annotations", Shape.OPEN_MAP, "its annotations"),
              optional("policies", Shape.OPEN_MAP, "as in the configuration"),
              optional("workflowPolicies", Shape.OPEN_MAP, "as in the configuration"),
              optional("grants", Shape.OPEN_MAP, "as in the configuration"),
              optional("operation", new Words("create", "run"), "create", "what is done"),
              optional("params", Shape.OPEN_MAP, "with which params"),
              optional("recorded", RECORDED, "by step: answers instead of executing it"),
              optional("expect", new In(EXPECT), "it succeeds", "what must come of it"),
              optional("sequence", new ListOf(new In(ACTION)), "several actions, create first"),
              optional("ownership", new In(OWNERSHIP), "what another team tries beside it"))
          .with(
              new Rule.ExactlyOne("type", "goldenPath"),
              new Rule.AtMostOne("goldenPath", "ownership"),
              new Rule.AtMostOne("sequence", "expect"),
              new Rule.AtMostOne("sequence", "params"));

  private static final Form FILE =
      Form.of(
          "providerTest",
          "A file in the directory `tests` of a provider.",
          optional("apiVersion", new Words("slipway.dev/v1alpha1"), "the version of this form"),
          optional("kind", new Words("ProviderTest"), "what this is"),
          required("cases", new ListOf(new In(CASE)), "the cases"));

  /** Everything that such a file may hold. */
  public static final Grammar GRAMMAR =
      new Grammar(
          "provider-test",
          "Test cases of a Slipway provider (tests/*.yaml)",
          new In(FILE),
          Grammar.Spellings.EXACT,
          List.of(
              FILE, CASE, ACTION, EXPECT, STEP, FAULT, ANSWER, FAILURE, OWNERSHIP, SHARED,
              EXISTING),
          new LinkedHashMap<>());

  private ProviderTestForms() {}

  private static Shape words(State[] states) {
    return new Words(Arrays.stream(states).map(State::text).toList());
  }
}
