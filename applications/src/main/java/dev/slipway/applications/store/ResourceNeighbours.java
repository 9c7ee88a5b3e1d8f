package dev.slipway.applications.store;

import dev.slipway.applications.lifecycle.ResourceState;
import dev.slipway.applications.plan.KnownResource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Resources that are explained together: what each of them needs, and what needs it.
 *
 * @param dependents names of what is there and needs a resource, sorted, by its id
 */
record ResourceNeighbours(Map<UUID, KnownResource> byId, Map<UUID, List<String>> dependents) {
  /** Of a resource that is explained alone. */
  static final ResourceNeighbours NONE = new ResourceNeighbours(Map.of(), Map.of());

  static ResourceNeighbours of(List<KnownResource> resources) {
    Map<UUID, KnownResource> byId = new HashMap<>();
    Map<UUID, List<String>> dependents = new HashMap<>();
    for (KnownResource resource : resources) {
      byId.put(resource.id(), resource);
      if (resource.state() != ResourceState.DELETED && !resource.detached()) {
        resource.dependencies().stream()
            .map(KnownResource.Dependency::on)
            .distinct()
            .forEach(
                on -> dependents.computeIfAbsent(on, _ -> new ArrayList<>()).add(resource.name()));
      }
    }
    dependents.values().forEach(Collections::sort);
    return new ResourceNeighbours(byId, dependents);
  }

  Optional<KnownResource> find(UUID id) {
    return Optional.ofNullable(byId.get(id));
  }

  List<String> dependents(UUID of) {
    return dependents.getOrDefault(of, List.of());
  }
}
