package dev.slipway.engine.execute;

import dev.slipway.engine.workflow.Scope;
import dev.slipway.engine.workflow.Step;
import dev.slipway.engine.workflow.Workflow;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The workflow language as the engine needs it. */
public interface Language {
  /** The workflow of a stored definition. */
  Workflow workflow(DefinitionSnapshot snapshot);

  /** The step's config and environment, rendered. */
  Rendered render(Step step, Scope view);

  /** A tree whose strings are templates, rendered. */
  @Nullable Object value(@Nullable Object tree, Scope view);

  /** What a step is called with. */
  record Rendered(Map<String, Object> config, Map<String, String> env) {}
}
