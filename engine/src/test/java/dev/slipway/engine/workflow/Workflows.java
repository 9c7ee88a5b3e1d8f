package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.workflow.StepType.Code;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Workflows for tests, and the step types that they may use. */
final class Workflows {
  static final StepTypes TYPES =
      new StepTypes(
          List.of(
              new StepType(
                  "policy",
                  Set.of("shell"),
                  List.of(
                      field("script", Kind.SCRIPT),
                      field("command", Kind.SCRIPT),
                      field("interpreter", Kind.TEXT),
                      field("stdin", Kind.TEXT),
                      field("workingDir", Kind.TEXT),
                      field("successCodes", Kind.LIST)),
                  1,
                  Code.RUNS),
              new StepType(
                  "http",
                  Set.of(),
                  List.of(
                      new Field("url", Kind.TEXT, Need.REQUIRED, "where to call"),
                      field("method", Kind.TEXT)
                          .oneOf("GET", "POST")
                          .not("TRACE", "it shows what others sent")
                          .also("verb"),
                      field("headers", Kind.MAP),
                      field("json", Kind.VALUE),
                      field("follow", Kind.BOOLEAN),
                      field("limit", Kind.NUMBER)),
                  3,
                  Code.NONE),
              new StepType(
                  "sql",
                  Set.of(),
                  List.of(
                      new Field("connection", Kind.TEXT, Need.REQUIRED, "a connection's name")
                          .granted(StepType.Grant.CONNECTIONS),
                      field("statements", Kind.SQL),
                      field("query", Kind.SQL),
                      field("params", Kind.LIST),
                      field("transaction", Kind.BOOLEAN)),
                  1,
                  Code.NONE),
              new StepType(
                  "wait",
                  Set.of(),
                  List.of(
                      field("duration", Kind.DURATION),
                      field("condition", Kind.CONDITION),
                      field("interval", Kind.DURATION)),
                  1,
                  Code.NONE),
              new StepType("approval", Set.of(), List.of(field("teams", Kind.LIST)), 1, Code.NONE),
              new StepType("workflow", Set.of(), List.of(), 1, Code.NONE)));

  static final String HEAD =
      """
      apiVersion: innominatus.io/v1alpha1
      kind: Workflow
      metadata: {name: test}
      """;

  private Workflows() {}

  private static Field field(String name, Kind kind) {
    return new Field(name, kind, Need.OPTIONAL, "");
  }

  /** A workflow, and what was said about it. */
  record Read(Optional<Workflow> workflow, Diagnostics diagnostics) {
    Workflow good() {
      return workflow.orElseThrow(() -> new AssertionError(diagnostics.toString()));
    }

    List<String> texts() {
      return diagnostics.all().stream().map(Object::toString).toList();
    }
  }

  /** Reads a whole file. */
  static Read file(String text) {
    Diagnostics diagnostics = new Diagnostics();
    Optional<Workflow> workflow =
        Document.parse("w.yaml", text, Limits.DEFAULT, diagnostics)
            .flatMap(document -> new WorkflowParser(TYPES).parse(document, diagnostics));
    return new Read(workflow, diagnostics);
  }

  /** Reads a file with the usual head of three lines. */
  static Read body(String text) {
    return file(HEAD + text);
  }
}
