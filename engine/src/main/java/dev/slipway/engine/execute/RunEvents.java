package dev.slipway.engine.execute;

import dev.slipway.engine.graph.Event;
import dev.slipway.engine.lifecycle.RunState;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Builds the events about a run and its steps. */
record RunEvents(ClaimedRun run, DefinitionSnapshot definition) {
  Event run(String type, Instant at) {
    return event(type, at, about());
  }

  Event waiting(List<String> waitingFor, @Nullable Instant until, Instant at) {
    Map<String, Object> data = about();
    data.put("waitingFor", waitingFor);
    if (until != null) {
      data.put("until", until.toString());
    }
    return event("workflow.waiting", at, data);
  }

  Event ended(RunState state, @Nullable StepError error, List<String> warnings, Instant at) {
    String type =
        switch (state) {
          case SUCCEEDED, PARTIAL -> "workflow.completed";
          case CANCELLED -> "workflow.cancelled";
          case FAILED, PENDING, RUNNING, WAITING -> "workflow.failed";
        };
    Map<String, Object> data = about();
    data.put("status", state.text());
    if (error != null) {
      data.put("error", tree(error));
    }
    if (!warnings.isEmpty()) {
      data.put("warnings", warnings);
    }
    return event(type, at, data);
  }

  Event step(String type, StepRecord step, Instant at) {
    Map<String, Object> data = about();
    data.put("step", step.name());
    data.put("attempt", (long) step.attempt());
    if (step.error() != null) {
      data.put("error", tree(step.error()));
    }
    if (step.wakeAt() != null) {
      data.put("until", step.wakeAt().toString());
    }
    if (step.parked() != null && type.equals("step.waiting")) {
      data.put("waitingFor", step.parked().waitingFor());
    }
    return event(type, at, data);
  }

  Event recovered(StepRecord step, Instant at) {
    Event started = step("step.started", step, at);
    started.data().put("recovered", true);
    return started;
  }

  private Map<String, Object> about() {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("runId", run.id().toString());
    data.put("provider", definition.provider());
    data.put("workflow", definition.workflow());
    if (run.operation() != null) {
      data.put("operation", run.operation());
    }
    if (run.kind().belongsToAnother() && run.parent() != null) {
      data.put("kind", run.kind().text());
      data.put("parentRunId", run.parent().toString());
      RootRun.named(run.inputs()).ifPresent(root -> data.put("rootRunId", root));
    }
    if (run.subject().nodeId() != null) {
      data.put("resourceId", run.subject().nodeId().toString());
      data.put("resource", run.subject().nodeName());
    }
    return data;
  }

  private Event event(String type, Instant at, Map<String, Object> data) {
    return new Event(
        type, run.subject().rootRef(), run.environment(), run.team(), "engine", at, data);
  }

  static Map<String, Object> tree(StepError error) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("code", error.code());
    tree.put("message", error.message());
    if (error.hint() != null) {
      tree.put("hint", error.hint());
    }
    return tree;
  }
}
