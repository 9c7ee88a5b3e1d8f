package dev.slipway.applications.progress;

import dev.slipway.applications.plan.KnownResource;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.value.Values;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a run's templates see as {@code .context}; nothing in it can be overridden by params. */
public final class RunContext {
  private RunContext() {}

  /** For one start. */
  public static Map<String, @Nullable Object> of(
      Situation situation, Move.Start start, UUID run, String user, AdminConfig config) {
    KnownResource resource = start.resource();
    Map<String, @Nullable Object> context = new LinkedHashMap<>();
    context.put("app", situation.name());
    context.put("environment", RunParameters.environment(situation));
    context.put("resource", resource(resource));
    context.put("team", situation.team());
    context.put("user", user);
    context.put("run", run.toString());
    context.put("provider", start.definition().provider());
    context.put("policies", config.policies().inTemplates());
    if (start.operation() != Operation.CREATE) {
      Map<String, @Nullable Object> previous = new LinkedHashMap<>();
      previous.put("params", resource.appliedParams());
      previous.put("outputs", resource.outputs());
      context.put("previous", previous);
    }
    context.put("metadata", Values.map(situation.metadata()));
    context.put(
        "resources",
        resource.dependencies().isEmpty() ? Map.of() : neighbours(situation, resource));
    return context;
  }

  private static Map<String, Object> resource(KnownResource resource) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("id", resource.id().toString());
    tree.put("name", resource.name());
    tree.put("type", resource.type());
    tree.put("class", resource.resourceClass());
    tree.put("identity", resource.identity());
    return tree;
  }

  /** Outputs of what it depends on, by the names that its params use. */
  private static Map<String, Object> neighbours(Situation situation, KnownResource resource) {
    Map<UUID, KnownResource> byId = new LinkedHashMap<>();
    situation.resources().forEach(r -> byId.put(r.id(), r));
    Map<String, Object> outputs = new LinkedHashMap<>();
    for (KnownResource.Dependency dependency : resource.dependencies()) {
      KnownResource on = byId.get(dependency.on());
      if (dependency.wanted() && on != null && on.active()) {
        outputs.put(dependency.name(), on.outputs());
      }
    }
    return outputs;
  }
}
