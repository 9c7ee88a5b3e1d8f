package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.workflow.Workflow;
import java.util.Optional;

/** Reads a workflow file; empty when an error was reported. */
@FunctionalInterface
public interface WorkflowReader {
  /** The workflow of the document. */
  Optional<Workflow> read(Document document, Diagnostics diagnostics);
}
