package dev.slipway.engine.resolve;

import static dev.slipway.engine.grammar.Field.optional;
import static dev.slipway.engine.grammar.Field.required;

import dev.slipway.engine.grammar.Form;
import dev.slipway.engine.grammar.Form.Others;
import dev.slipway.engine.grammar.Grammar;
import dev.slipway.engine.grammar.Shape;
import dev.slipway.engine.grammar.Shape.Either;
import dev.slipway.engine.grammar.Shape.In;
import dev.slipway.engine.grammar.Shape.MapOf;
import dev.slipway.engine.workflow.WorkflowForms;
import java.util.LinkedHashMap;
import java.util.List;

/** Every map of a {@code goldenpaths.yaml}. */
public final class GoldenPathForms {
  static final Form ENTRY =
      Form.of(
              "goldenPath",
              "One golden path. A text alone stands for `{workflow: text}`.",
              required(
                  "workflow",
                  Shape.FILLED,
                  "the workflow's file, relative to this one and below its directory"),
              optional("description", Shape.TEXT, "the workflow's own", "shown to users"),
              optional("category", Shape.TEXT, "words to group it by"),
              optional("tags", Shape.TEXTS, "words to find it by"),
              optional("estimatedDuration", Shape.SCALAR, "shown to users"),
              optional(
                  "parameters",
                  new MapOf(new Shape.Looking("", new In(WorkflowForms.PARAMETER_BY_NAME))),
                  "by name: a value that counts unless the caller gives one, or the fields of a"
                      + " [workflow's parameter](reference-workflow.md#parameter)"),
              optional("requiredParams", Shape.TEXTS, "parameters that the caller must give"),
              optional(
                  "optionalParams",
                  new Either(Shape.TEXTS, Shape.OPEN_MAP),
                  "names of parameters, or their values unless the caller gives one"),
              optional("allowedTeams", Shape.TEXTS, "every team", "who may start it"))
          .others(Others.WARNED);

  static final Shape ENTRIES = new MapOf(new Either(Shape.TEXT, new In(ENTRY)));

  static final Form FILE =
      Form.of(
              "goldenPaths",
              "The file: paths by name below `goldenpaths`, or right at its top.",
              optional("goldenpaths", ENTRIES, "the paths by name"),
              optional("goldenPaths", ENTRIES, "the same"))
          .with(new dev.slipway.engine.grammar.Rule.ExactlyOne("goldenpaths", "goldenPaths"));

  /** Everything that such a file may hold. */
  public static final Grammar GRAMMAR =
      new Grammar(
          "goldenpaths",
          "Golden paths of a Slipway server (goldenpaths.yaml)",
          new Shape.Given(
              "goldenpaths", new In(FILE), new Shape.Given("goldenPaths", new In(FILE), ENTRIES)),
          Grammar.Spellings.CAMEL_AND_SNAKE,
          List.of(FILE, ENTRY, WorkflowForms.PARAMETER_BY_NAME),
          new LinkedHashMap<>());

  private GoldenPathForms() {}
}
