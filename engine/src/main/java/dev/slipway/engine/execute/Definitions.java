package dev.slipway.engine.execute;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.resolve.Resolution;
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
  public record Parsed(DefinitionSnapshot snapshot, Workflow workflow) {
    /** As a new run takes it. */
    Resolution.Definition definition() {
      return snapshot.definition(workflow);
    }
  }

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
    return cached(hash, store.definition(hash));
  }

  /**
   * The definition that a step of this one calls, kept with it since its run was made.
   *
   * @throws UnusableRunException when it was not kept, or this Slipway cannot read it
   */
  Resolution.Definition called(Parsed by, String reference) {
    String key = Resolution.Component.key(by.snapshot().provider(), reference);
    Resolution.Component found = by.snapshot().library().get(key);
    if (found == null) {
      throw new UnusableRunException(
          StepError.permanent(
              "definition",
              "workflow '" + key + "' was not there when the run was made",
              "See what is wrong with its provider: slipway provider list."));
    }
    DefinitionSnapshot snapshot = DefinitionSnapshot.of(found, by.snapshot().library());
    return snapshot.definition(cached("called " + found.source(), snapshot).workflow());
  }

  private Parsed cached(String key, DefinitionSnapshot snapshot) {
    synchronized (parsed) {
      Parsed known = parsed.get(key);
      if (known != null) {
        return known;
      }
    }
    Parsed fresh = new Parsed(snapshot, workflow(snapshot));
    synchronized (parsed) {
      parsed.put(key, fresh);
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
