package dev.slipway.engine.execute;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.engine.workflow.WorkflowParser;
import java.util.LinkedHashMap;
import java.util.Map;

/** Stored definitions, read and parsed once; the least used are forgotten. */
public final class Definitions {
  private static final int KEPT = 500;

  private final RunStore store;
  private final WorkflowParser parser;
  private final Map<String, Parsed> parsed =
      new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Parsed> eldest) {
          return size() > KEPT;
        }
      };

  /** A definition and the workflow in it. */
  public record Parsed(DefinitionSnapshot snapshot, Workflow workflow) {}

  /** Of this store. */
  public Definitions(RunStore store, WorkflowParser parser) {
    this.store = store;
    this.parser = parser;
  }

  /**
   * The definition of that hash.
   *
   * @throws UnusableRunException when this Slipway cannot read it
   */
  public Parsed of(String hash) {
    synchronized (parsed) {
      Parsed known = parsed.get(hash);
      if (known != null) {
        return known;
      }
    }
    DefinitionSnapshot snapshot = store.definition(hash);
    Parsed fresh = new Parsed(snapshot, workflow(snapshot));
    synchronized (parsed) {
      parsed.put(hash, fresh);
    }
    return fresh;
  }

  private Workflow workflow(DefinitionSnapshot snapshot) {
    Diagnostics diagnostics = new Diagnostics();
    return Document.parse(
            snapshot.workflow() + ".yaml", snapshot.source(), Limits.PROVIDER, diagnostics)
        .flatMap(document -> parser.parse(document, diagnostics))
        .orElseThrow(
            () ->
                new UnusableRunException(
                    StepError.permanent(
                        "definition",
                        "the stored workflow cannot be read: " + diagnostics,
                        "Deploy again to use the provider's current workflow.")));
  }
}
