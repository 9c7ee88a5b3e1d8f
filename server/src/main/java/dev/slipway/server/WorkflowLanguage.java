package dev.slipway.server;

import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.execute.Language;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.Scope;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.StepTypes;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.engine.workflow.WorkflowParser;
import org.jspecify.annotations.Nullable;

/** The workflow language, for the engine. */
final class WorkflowLanguage implements Language {
  private final WorkflowParser parser;
  private final Rendering rendering;

  WorkflowLanguage(StepTypes types) {
    this.parser = new WorkflowParser(types);
    this.rendering = new Rendering(types);
  }

  @Override
  public Workflow workflow(DefinitionSnapshot snapshot) {
    Diagnostics diagnostics = new Diagnostics();
    return Document.parse(
            snapshot.workflow() + ".yaml", snapshot.source(), Limits.PROVIDER, diagnostics)
        .flatMap(document -> parser.parse(document, diagnostics))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "the stored workflow '"
                        + snapshot.workflow()
                        + "' of "
                        + snapshot.provider()
                        + " can no longer be read: "
                        + diagnostics));
  }

  @Override
  public Rendered render(Step step, Scope view) {
    return new Rendered(rendering.config(step, view), rendering.env(step, view));
  }

  @Override
  public @Nullable Object value(@Nullable Object tree, Scope view) {
    return rendering.value(tree, view);
  }
}
