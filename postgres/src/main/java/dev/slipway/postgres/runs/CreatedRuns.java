package dev.slipway.postgres.runs;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RootRun;
import dev.slipway.engine.graph.Event;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The events that tell of new runs. */
final class CreatedRuns {
  private CreatedRuns() {}

  private static Event event(NewRun run) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("runId", run.id().toString());
    data.put("provider", run.definition().provider());
    data.put("workflow", run.definition().workflow().name());
    if (run.operation() != null) {
      data.put("operation", run.operation());
    }
    if (run.subject().nodeId() != null) {
      data.put("resourceId", run.subject().nodeId().toString());
      data.put("resource", run.subject().nodeName());
    }
    if (run.origin().parent() != null) {
      data.put("parentRunId", run.origin().parent().toString());
    }
    if (run.kind().belongsToAnother()) {
      data.put("kind", run.kind().text());
      RootRun.named(run.inputs()).ifPresent(root -> data.put("rootRunId", root));
    }
    if (run.origin().calledBy() != null) {
      data.put("parentStep", run.origin().calledBy().step());
    }
    return new Event(
        "workflow.created",
        run.subject().rootRef(),
        run.tenancy().environment(),
        run.tenancy().team(),
        "engine",
        run.creation().at(),
        data);
  }

  static List<Event> events(List<NewRun> runs) {
    return runs.stream().filter(r -> !r.subject().quiet()).map(CreatedRuns::event).toList();
  }
}
