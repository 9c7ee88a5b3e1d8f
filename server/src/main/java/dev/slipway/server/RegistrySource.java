package dev.slipway.server;

import dev.slipway.engine.graph.NodeKind;
import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.graph.NodeView;
import dev.slipway.engine.graph.NodeView.Why;
import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.engine.resolve.CapabilityConflict;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.ProviderProblem;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.postgres.nodes.NodeSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;

/** Providers in service and types of resources as nodes. A provider waits for types in conflict. */
record RegistrySource(Supplier<Registry> registry) implements NodeSource {
  private static final String CONFLICTS = "slipway provider conflicts";

  @Override
  public List<NodeKind> kinds() {
    return List.of(TrunkKinds.PROVIDER, TrunkKinds.RESOURCE_TYPE);
  }

  @Override
  public Map<NodeRef, NodeView> find(Handle tx, Set<NodeRef> refs) {
    Registry now = registry.get();
    Map<NodeRef, NodeView> found = new HashMap<>();
    for (NodeRef ref : refs) {
      Optional<NodeView> view =
          ref.is(TrunkKinds.PROVIDER)
              ? now.provider(ref.name()).map(provider -> provider(now, provider))
              : type(now, ref.name());
      view.filter(v -> v.node().equals(ref)).ifPresent(v -> found.put(ref, v));
    }
    return found;
  }

  private static NodeView provider(Registry registry, Provider provider) {
    List<NodeRef> conflicts =
        registry.conflicts().stream()
            .filter(c -> c.claimants().stream().anyMatch(k -> k.provider().equals(provider.name())))
            .map(c -> TrunkKinds.RESOURCE_TYPE.ref(c.type()))
            .toList();
    Optional<Why> why =
        registry.problems().stream()
            .filter(p -> p.provider().equals(provider.name()))
            .findFirst()
            .map(p -> new Why(words(p), Optional.empty(), Optional.of(CONFLICTS)));
    return new NodeView(
        TrunkKinds.PROVIDER.ref(provider.name()),
        Optional.empty(),
        "active",
        Optional.empty(),
        conflicts,
        why);
  }

  private static String words(ProviderProblem problem) {
    String what = problem.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    String detail =
        problem.diagnostics().isEmpty() ? "" : ": " + problem.diagnostics().getFirst().message();
    return switch (problem.availability()) {
      case LAST_GOOD_VERSION -> "its last good version is in service: " + what + detail;
      case PARTLY_IN_SERVICE -> "is in service in part: " + what + detail;
      case OUT_OF_SERVICE -> "is out of service: " + what + detail;
    };
  }

  private static Optional<NodeView> type(Registry registry, String type) {
    Optional<CapabilityConflict> conflict =
        registry.conflicts().stream().filter(c -> c.type().equals(type)).findFirst();
    if (conflict.isEmpty() && !registry.types().contains(type)) {
      return Optional.empty();
    }
    return Optional.of(
        new NodeView(
            TrunkKinds.RESOURCE_TYPE.ref(type),
            Optional.empty(),
            conflict.isPresent() ? "conflict" : "active",
            Optional.empty(),
            List.of(),
            conflict.map(c -> new Why(c.message(), Optional.empty(), Optional.of(CONFLICTS)))));
  }
}
