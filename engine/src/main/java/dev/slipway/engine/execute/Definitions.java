package dev.slipway.engine.execute;

import dev.slipway.engine.workflow.Workflow;
import java.util.LinkedHashMap;
import java.util.Map;

/** Stored definitions, read and parsed once; the least used are forgotten. */
public final class Definitions {
  private static final int KEPT = 500;

  private final RunStore store;
  private final Language language;
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
  public Definitions(RunStore store, Language language) {
    this.store = store;
    this.language = language;
  }

  /** The definition of that hash. */
  public Parsed of(String hash) {
    synchronized (parsed) {
      Parsed known = parsed.get(hash);
      if (known != null) {
        return known;
      }
    }
    DefinitionSnapshot snapshot = store.definition(hash);
    Parsed fresh = new Parsed(snapshot, language.workflow(snapshot));
    synchronized (parsed) {
      parsed.put(hash, fresh);
    }
    return fresh;
  }
}
