package dev.slipway.engine.execute;

import dev.slipway.engine.intake.ReservedParameters;
import dev.slipway.engine.value.Values;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a run from its row. Steps get these values under the reserved names, and never
 * the stored parameters of those names, which an earlier version may have stored differently.
 */
record RunIdentity(Map<String, Object> known) {

  static RunIdentity of(ClaimedRun run) {
    NewRun.Subject subject = run.subject();
    Map<String, Object> known = new LinkedHashMap<>();
    put(known, "app_name", subject.rootName());
    put(known, "resource_name", subject.nodeName());
    put(known, "resource_type", subject.nodeType());
    put(known, "resource_id", subject.nodeId() == null ? null : subject.nodeId().toString());
    put(known, "resource_class", resourceClass(run.inputs().context()));
    put(known, "environment", run.environment());
    put(known, "team_id", run.team());
    put(known, "operation", run.operation());
    return new RunIdentity(known);
  }

  private static void put(Map<String, Object> known, String name, @Nullable Object value) {
    if (value != null) {
      known.put(name, value);
    }
  }

  /** Context is made by the engine alone. */
  private static @Nullable Object resourceClass(Map<String, Object> context) {
    return context.get("resource") instanceof Map<?, ?> resource
        ? Values.map(resource).get("class")
        : null;
  }

  /** Those parameters with this identity. For a run without a root the other names are empty. */
  Map<String, Object> over(Map<String, Object> parameters) {
    Map<String, Object> all = new LinkedHashMap<>(parameters);
    if (!known.containsKey("app_name")) {
      all.replaceAll((name, value) -> ReservedParameters.IDENTITY.contains(name) ? null : value);
    }
    all.putAll(known);
    return all;
  }
}
