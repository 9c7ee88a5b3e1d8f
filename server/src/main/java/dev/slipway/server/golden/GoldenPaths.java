package dev.slipway.server.golden;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.resolve.Breach;
import dev.slipway.engine.resolve.GoldenPath;
import dev.slipway.engine.resolve.Manifest;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.ProviderRules;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.resolve.SubWorkflows;
import dev.slipway.engine.resolve.WorkflowRules;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * All golden paths: those of providers and those of the configured file.
 *
 * @param guarded environments that require an approved plan
 */
public record GoldenPaths(
    Supplier<Registry> registry,
    Supplier<WorkflowRules> rules,
    Supplier<List<GoldenPath>> fromFile,
    Predicate<String> guarded) {
  /**
   * All that the policies allow, by name; the file overrides a provider's path of the same name.
   */
  public List<GoldenPath> all() {
    return offered().stream().filter(path -> refusal(path).isEmpty()).toList();
  }

  /** The path of that name, allowed or not. */
  public Optional<GoldenPath> find(String name) {
    return offered().stream().filter(path -> path.name().equals(name)).findFirst();
  }

  /** Why the policies forbid the path for every caller. */
  public Optional<Breach> refusal(GoldenPath path) {
    return rules.get().product(path.definition().provider(), path.name());
  }

  /** Why the policies forbid these parameters in this environment. */
  public Optional<Breach> refusal(
      GoldenPath path, String environment, Map<String, Object> parameters) {
    String provider = path.definition().provider();
    return refusal(path)
        .or(
            () ->
                ProviderRules.of(provider, rules.get(), registry.get())
                    .run(path.definition().workflow(), environment, null, parameters));
  }

  /** Whether a run in that environment waits for the approval of its plan. */
  public boolean guarded(String environment) {
    return guarded.test(environment);
  }

  private List<GoldenPath> offered() {
    Registry now = registry.get();
    List<GoldenPath> all = new ArrayList<>();
    fromFile.get().forEach(p -> all.add(p.by(linked(now, p).definition())));
    for (Provider provider : now.providers()) {
      for (Manifest.Entry entry : provider.manifest().workflows()) {
        boolean taken = all.stream().anyMatch(p -> p.name().equals(entry.name()));
        if (entry.category() == Manifest.Category.GOLDEN_PATH && !taken) {
          all.add(
              path(
                  entry,
                  Objects.requireNonNull(
                      provider.definitions().get(entry.name()),
                      "a provider is loaded only with a definition for each of its workflows")));
        }
      }
    }
    all.sort(Comparator.comparing(GoldenPath::name));
    return all;
  }

  /** The programs and workflows that its workflow needs and this server lacks. */
  public List<Diagnostic> missing(GoldenPath path) {
    Registry now = registry.get();
    return now.provider(path.definition().provider())
        .map(provider -> provider.missing(path.definition()))
        .orElseGet(() -> linked(now, path).problems());
  }

  private static SubWorkflows.Linked linked(Registry now, GoldenPath path) {
    return now.link(path.name(), path.definition());
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
        List.of(),
        definition);
  }
}
