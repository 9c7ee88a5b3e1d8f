package dev.slipway.server.golden;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Manifest;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.Resolution;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** All golden paths in force: those of providers and those of the configured file. */
public final class GoldenPaths {
  private final Supplier<Registry> registry;
  private final Supplier<AdminConfig> config;
  private final Supplier<List<GoldenPath>> fromFile;

  public GoldenPaths(
      Supplier<Registry> registry,
      Supplier<AdminConfig> config,
      Supplier<List<GoldenPath>> fromFile) {
    this.registry = registry;
    this.config = config;
    this.fromFile = fromFile;
  }

  /** By name; of two with one name the file's counts. */
  public List<GoldenPath> all() {
    List<String> allowed = config.get().workflowPolicies().allowedProductWorkflows();
    List<GoldenPath> all = new ArrayList<>(fromFile.get());
    for (Provider provider : registry.get().providers()) {
      for (Manifest.Entry entry : provider.manifest().workflows()) {
        boolean taken = all.stream().anyMatch(p -> p.name().equals(entry.name()));
        if (entry.category() == Manifest.Category.GOLDEN_PATH && !taken) {
          all.add(path(entry, provider.definitions().get(entry.name())));
        }
      }
    }
    all.removeIf(path -> !allowed.isEmpty() && !allowed.contains(path.name()));
    all.sort(Comparator.comparing(GoldenPath::name));
    return List.copyOf(all);
  }

  public Optional<GoldenPath> find(String name) {
    return all().stream().filter(path -> path.name().equals(name)).findFirst();
  }

  /** The programs that its workflow needs and this server lacks. */
  public List<Diagnostic> missing(GoldenPath path) {
    return registry
        .get()
        .provider(path.definition().provider())
        .map(provider -> provider.missing(path.definition()))
        .orElse(List.of());
  }

  private static GoldenPath path(Manifest.Entry entry, Resolution.Definition definition) {
    return new GoldenPath(
        entry.name(),
        entry.description().isEmpty() ? definition.workflow().description() : entry.description(),
        "goldenpath",
        entry.tags(),
        "",
        entry.allowedTeams(),
        List.of(),
        Map.of(),
        definition);
  }
}
