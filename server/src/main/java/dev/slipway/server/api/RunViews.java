package dev.slipway.server.api;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.postgres.overview.RunView;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs as they are shown.
 *
 * @param definitions what runs execute, by the hash that they name it by
 */
record RunViews(Function<String, Optional<Workflow>> definitions) {
  Map<String, Object> view(RunView run) {
    Map<String, Object> out = summary(run);
    out.put("outputs", run.outputs());
    out.put("steps", RunSteps.of(run, definitions.apply(run.definition())).view());
    ChildRunViews made = new ChildRunViews(run);
    out.put("children", made.children());
    made.rollback().ifPresent(rollback -> out.put("rollback", rollback));
    return out;
  }

  static Map<String, Object> summary(RunView run) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("id", run.id());
    out.put("node", TrunkKinds.RUN.ref(run.id().toString()));
    out.put("kind", run.kind().text());
    out.put("cause", run.cause());
    NewRun.Subject subject = run.subject();
    out.put("root", subject.rootRef());
    out.put("subject", subject.node() == null ? null : subject.node().ref());
    out.put("application", RootApplication.of(subject.rootRef()));
    out.put("environment", run.environment());
    out.put("team", run.team());
    out.put("workflow", run.workflow());
    out.put("provider", run.provider());
    out.put("operation", run.operation());
    out.put("resourceId", subject.nodeId());
    out.put("resource", subject.nodeName());
    out.put("deploymentId", subject.request());
    out.put("status", run.status().text());
    out.put("parentRunId", run.parentRunId());
    out.put("parentStep", run.parentStep());
    out.put("parentAttempt", run.parentAttempt());
    out.put("cancel", run.cancel() == null ? null : run.cancel().text());
    out.put("createdBy", run.createdBy());
    out.put("createdAt", run.createdAt());
    out.put("startedAt", run.startedAt());
    out.put("completedAt", run.completedAt());
    out.put("durationMs", millis(run.startedAt(), run.completedAt()));
    out.put("error", run.error());
    out.put("rollback", run.rollback() == null ? null : Map.of("status", run.rollback().text()));
    out.values().removeIf(Objects::isNull);
    return out;
  }

  static @Nullable Long millis(@Nullable Instant from, @Nullable Instant to) {
    return from == null || to == null ? null : Duration.between(from, to).toMillis();
  }
}
