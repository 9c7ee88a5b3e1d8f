package dev.slipway.applications.store;

import dev.slipway.engine.access.Caller;
import dev.slipway.engine.access.RefusedException;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * One resource more: the newest document of an application with this resource in it, or a document
 * with nothing else in it. From there on it is a document like any other.
 */
record Addition(ApplicationContext context, Handle handle, Caller caller) {
  /** Keeps the application locked, so that no document comes between reading and writing. */
  DeployCommand of(Resources.NewResource wanted) {
    Map<String, @Nullable Object> spec = new LinkedHashMap<>(newest(wanted));
    Map<String, @Nullable Object> resources =
        new LinkedHashMap<>(Values.map(spec.getOrDefault("resources", Map.of())));
    if (resources.containsKey(wanted.name())) {
      throw RefusedException.conflict(
          "already-exists",
          "'" + wanted.application() + "' has a resource '" + wanted.name() + "' already",
          "Choose another name, or change it by deploying the application's Score file.");
    }
    resources.put(wanted.name(), wanted.body());
    spec.put("resources", resources);
    return DeployCommand.of(
        new Applications.DeployRequest(
            Json.write(spec).getBytes(StandardCharsets.UTF_8),
            "resource.json",
            Optional.of(wanted.environment()),
            wanted.team(),
            Map.of(),
            Optional.empty(),
            Applications.DeployRequest.Mode.APPLY,
            Set.of(),
            Set.of(),
            Optional.empty()));
  }

  private Map<String, @Nullable Object> newest(Resources.NewResource wanted) {
    Optional<ApplicationRow> living =
        ApplicationRow.reserve(handle, wanted.environment(), wanted.application());
    // Before anything is said about what the application has.
    living.ifPresent(row -> Preparation.permit(caller, living, row.team(), row.name()));
    return living
        .flatMap(this::newest)
        .map(spec -> Values.map(context.box().openLeaves(spec)))
        .orElseGet(() -> empty(wanted.application()));
  }

  /** What waits for an approval is newer than what is in force, and would be superseded. */
  private Optional<Map<String, @Nullable Object>> newest(ApplicationRow row) {
    Optional<Integer> waiting =
        new DeploymentRecords(context, handle, caller)
            .waiting(row.id())
            .map(DeploymentRecords.Waiting::revision);
    boolean going =
        Situations.inForce(handle, row.id())
            .filter(d -> d.kind() == DeployCommand.Kind.TEARDOWN)
            .isPresent();
    return waiting.isEmpty() && going
        ? Optional.empty()
        : Specs.sealed(handle, row.id(), waiting.orElse(row.revision()));
  }

  private static Map<String, @Nullable Object> empty(String application) {
    Map<String, @Nullable Object> spec = new LinkedHashMap<>();
    spec.put("apiVersion", "score.dev/v1b1");
    spec.put("metadata", Map.of("name", application));
    return spec;
  }
}
