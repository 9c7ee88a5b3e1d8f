package dev.slipway.steps.process;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.workflow.RenderedScript;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables that programs of a step have wherever they run. */
public final class StepEnvironment {
  private StepEnvironment() {}

  /** Adds whose step it is. */
  public static void context(StepCall call, Map<String, String> env) {
    StepCall.Scope scope = call.scope();
    String root = scope.root() == null ? null : scope.root().name();
    put(env, "APP_NAME", root);
    put(env, "SLIPWAY_APPLICATION", root);
    put(env, "SLIPWAY_ENVIRONMENT", scope.environment());
    put(env, "SLIPWAY_TEAM", scope.team());
    put(env, "SLIPWAY_RESOURCE", scope.resourceName());
    put(env, "SLIPWAY_RESOURCE_TYPE", scope.resourceType());
    put(env, "SLIPWAY_OPERATION", scope.operation());
    put(env, "SLIPWAY_RUN", call.run().toString());
    put(env, "SLIPWAY_STEP", call.step().name());
    put(env, "SLIPWAY_ATTEMPT", String.valueOf(call.attempt()));
  }

  /** Adds what was granted and what the step says itself, and checks all of it. */
  public static void own(StepCall call, RenderedScript script, Map<String, String> env) {
    env.putAll(call.env());
    if (call.config().get("env") instanceof Map<?, ?> more) {
      more.forEach((k, v) -> put(env, String.valueOf(k), v == null ? "" : text(v)));
    }
    env.putAll(script.env());
    env.forEach(StepEnvironment::check);
  }

  private static void check(String name, String value) {
    if (value.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "the value for " + name + " has a NUL character, which no program can be given");
    }
  }

  private static void put(Map<String, String> env, String name, @Nullable String value) {
    if (value != null) {
      env.put(name, value);
    }
  }

  private static String text(Object value) {
    return value instanceof String s ? s : Json.write(value);
  }
}
