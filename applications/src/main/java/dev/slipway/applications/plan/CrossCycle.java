package dev.slipway.applications.plan;

import dev.slipway.engine.graph.Dag;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/** Finds cycles that shared resources close across documents, which have none in themselves. */
final class CrossCycle {
  private CrossCycle() {}

  static void check(Wanted wanted, Map<String, KnownResource> byIdentity, PlanFindings findings) {
    if (byIdentity.isEmpty()) {
      return; // the document's own references are free of cycles since intake
    }
    Map<String, Set<String>> needs = new TreeMap<>();
    Map<UUID, String> identities = new HashMap<>();
    byIdentity.values().forEach(k -> identities.put(k.id(), k.identity()));
    byIdentity
        .values()
        .forEach(
            k ->
                needs.put(
                    k.identity(),
                    k.dependencies().stream()
                        .filter(KnownResource.Dependency::wanted)
                        .map(d -> identities.getOrDefault(d.on(), ""))
                        .collect(Collectors.toSet())));
    Map<String, String> byName = new HashMap<>();
    wanted.resources().forEach(r -> byName.put(r.name(), r.identity()));
    for (WantedResource resource : wanted.resources()) {
      if (resource.params() != null || !needs.containsKey(resource.identity())) {
        needs.put(
            resource.identity(),
            resource.dependsOn().stream().map(byName::get).collect(Collectors.toSet()));
      }
    }
    Dag.of(needs)
        .cycle()
        .ifPresent(
            cycle ->
                findings.error(
                    wanted.resources().stream()
                        .filter(r -> cycle.contains(r.identity()))
                        .findFirst()
                        .map(WantedResource::path)
                        .orElse(dev.slipway.engine.intake.Path.ROOT),
                    "dependency-cycle",
                    "shared resources depend on each other: " + String.join(" -> ", cycle),
                    "Remove one of these references."));
  }
}
