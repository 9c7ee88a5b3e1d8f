package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.workflow.Workflow;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Workflow files that were read before. The same bytes under the same name always say the same, so
 * a reload reads only what has changed, and what has not changed is shared between the registry
 * before and the one after.
 */
final class WorkflowShelf {
  private static final int MOST = 10_000;

  private final WorkflowReader reader;
  private final Map<Key, Reading> shelf =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Reading> eldest) {
          return size() > MOST;
        }
      };

  WorkflowShelf(WorkflowReader reader) {
    this.reader = reader;
  }

  private record Key(String label, String text) {}

  /** What a file says: a workflow unless there was an error, and all that was found. */
  record Reading(Optional<Workflow> workflow, String text, List<Diagnostic> diagnostics) {}

  Reading read(String label, byte[] content) {
    Key key = new Key(label, new String(content, StandardCharsets.UTF_8));
    synchronized (shelf) {
      Reading known = shelf.get(key);
      if (known != null) {
        return known;
      }
    }
    Diagnostics diagnostics = new Diagnostics();
    Optional<Workflow> workflow =
        Document.parse(label, content, Limits.PROVIDER, diagnostics)
            .flatMap(document -> reader.read(document, diagnostics));
    Reading reading = new Reading(workflow, key.text(), diagnostics.all());
    synchronized (shelf) {
      shelf.put(key, reading);
    }
    return reading;
  }
}
