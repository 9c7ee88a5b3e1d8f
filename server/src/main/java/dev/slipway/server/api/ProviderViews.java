package dev.slipway.server.api;

import dev.slipway.engine.graph.TrunkKinds;
import dev.slipway.engine.resolve.CapabilityConflict;
import dev.slipway.engine.resolve.Manifest;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.ProviderProblem;
import dev.slipway.engine.resolve.Registry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Providers, their problems and conflicts as they are shown. */
final class ProviderViews {
  private ProviderViews() {}

  static Map<String, Object> conflict(CapabilityConflict c) {
    Map<String, Object> conflict = new LinkedHashMap<>();
    conflict.put("type", c.type());
    conflict.put("level", c.level());
    conflict.put("claimants", c.claimants());
    conflict.put("message", c.message());
    return conflict;
  }

  /** The report for operators after a reload. */
  static Map<String, Object> report(Registry registry) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("providers", registry.providers().stream().map(ProviderViews::view).toList());
    out.put("conflicts", registry.conflicts().stream().map(ProviderViews::conflict).toList());
    out.put("problems", registry.problems().stream().map(ProviderViews::problem).toList());
    return out;
  }

  static Map<String, Object> problem(ProviderProblem problem) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("provider", problem.provider());
    out.put("source", problem.source());
    out.put("kind", problem.kind());
    out.put("standing", problem.availability());
    out.put("diagnostics", problem.diagnostics());
    return out;
  }

  static Map<String, Object> stats(Registry registry) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("providers", registry.providers().size());
    out.put("resourceTypes", registry.types().size());
    out.put("workflows", registry.providers().stream().mapToInt(p -> p.definitions().size()).sum());
    out.put("conflicts", registry.conflicts().size());
    out.put("problems", registry.problems().size());
    return out;
  }

  static Map<String, Object> view(Provider provider) {
    Manifest manifest = provider.manifest();
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", provider.name());
    out.put("node", TrunkKinds.PROVIDER.ref(provider.name()));
    out.put("version", manifest.version());
    out.put("category", manifest.about().category());
    out.put("description", manifest.about().description());
    out.put("tags", manifest.about().tags());
    out.put("status", "active");
    out.put("team", provider.source().team());
    out.put("precedence", provider.source().precedence());
    out.put("environments", provider.source().environments());
    out.put("source", provider.source().label());
    if (provider.commit() != null) {
      out.put("commit", provider.commit());
    }
    out.put("resourceTypes", manifest.claimedTypes());
    out.put("capabilities", capabilities(manifest));
    out.put("workflows", manifest.workflows().stream().map(ProviderViews::workflow).toList());
    return out;
  }

  private static List<Map<String, Object>> capabilities(Manifest manifest) {
    List<Map<String, Object>> out = new ArrayList<>();
    for (Manifest.Capability capability : manifest.capabilities()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("type", capability.type());
      if (capability.aliasFor() != null) {
        one.put("aliasFor", capability.aliasFor());
      }
      if (capability.deletionPolicy() != null) {
        one.put("deletionPolicy", capability.deletionPolicy());
      }
      one.put(
          "operations",
          capability.operations().keySet().stream().map(Operation::text).sorted().toList());
      out.add(one);
    }
    return out;
  }

  private static Map<String, Object> workflow(Manifest.Entry entry) {
    Map<String, Object> out = new LinkedHashMap<>();
    out.put("name", entry.name());
    out.put("category", entry.category());
    if (entry.operation() != null) {
      out.put("operation", entry.operation());
    }
    out.put("description", entry.description());
    out.put("tags", entry.tags());
    return out;
  }
}
