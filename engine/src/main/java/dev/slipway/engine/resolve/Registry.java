package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Nearest;
import dev.slipway.engine.resolve.Resolution.Definition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Everything loaded at one moment, with its conflicts. Immutable: a reload builds a new one and
 * replaces the reference, so that no reader sees a part of it.
 */
public final class Registry {
  /** Nothing loaded. */
  public static final Registry EMPTY = new Registry(List.of(), List.of());

  private final List<Provider> providers;
  private final List<Provider> refused;
  private final List<ProviderProblem> problems;
  private final Map<String, List<Provider>> claimants;
  private final List<CapabilityConflict> conflicts;

  /** Of these providers, in configuration order, and the problems of all other providers. */
  public Registry(List<Provider> providers, List<ProviderProblem> problems) {
    this(providers, List.of(), problems);
  }

  /** The same, with those that only a policy keeps out of service. */
  Registry(List<Provider> providers, List<Provider> refused, List<ProviderProblem> problems) {
    this.providers = List.copyOf(providers);
    this.refused = List.copyOf(refused);
    this.problems = List.copyOf(problems);
    this.claimants = claimants(providers);
    this.conflicts = CapabilityConflict.among(claimants);
  }

  /** All in service. */
  public List<Provider> providers() {
    return providers;
  }

  /** All that are not, or not in their newest version. */
  public List<ProviderProblem> problems() {
    return problems;
  }

  /** Types that are unusable, and why. */
  public List<CapabilityConflict> conflicts() {
    return conflicts;
  }

  /** Every claimed type, sorted. */
  public List<String> types() {
    return List.copyOf(claimants.keySet());
  }

  /** The provider of that name. */
  public Optional<Provider> provider(String name) {
    return providers.stream().filter(p -> p.name().equals(name)).findFirst();
  }

  /** The provider of that name, also when a policy keeps it out of service: its runs continue. */
  public Optional<Provider> known(String name) {
    return provider(name).or(() -> refused.stream().filter(p -> p.name().equals(name)).findFirst());
  }

  /**
   * The workflow for an operation on a type in an environment; the highest level that offers it.
   */
  public Resolution resolve(
      String type, Operation operation, List<String> tags, String environment) {
    List<Provider> claiming =
        claimants.getOrDefault(type, List.of()).stream()
            .filter(p -> p.serves(environment))
            .toList();
    if (claiming.isEmpty()) {
      Optional<Provider> barred =
          refused.stream()
              .filter(p -> p.serves(environment) && p.manifest().claimedTypes().contains(type))
              .findFirst();
      if (barred.isPresent()) {
        return barred(type, barred.get());
      }
      return new Resolution.UnknownType(type, Nearest.to(type, types()).stream().toList());
    }
    Map<Integer, List<Provider>> levels = new TreeMap<>(Comparator.reverseOrder());
    claiming.forEach(
        p -> levels.computeIfAbsent(p.source().precedence(), l -> new ArrayList<>()).add(p));
    for (var level : levels.entrySet()) {
      if (level.getValue().size() > 1) {
        return new Resolution.Conflicted(type, level.getKey(), names(level.getValue()));
      }
      Provider provider = level.getValue().getFirst();
      Optional<Definition> found = provider.workflow(type, operation, tags);
      if (found.isPresent()) {
        return usable(provider, type, operation, found.get());
      }
    }
    return new Resolution.NotSupported(type, operation, names(claiming));
  }

  /**
   * The workflow for an operation on a resource that a provider made: it stays with that provider,
   * also when another provider claims the type by now.
   */
  public Resolution resolveWith(
      String providerName, String type, Operation operation, List<String> tags) {
    // What is there must still be taken away: by those of its steps that are allowed.
    Optional<Provider> provider =
        operation == Operation.DELETE ? known(providerName) : provider(providerName);
    if (provider.isEmpty() && known(providerName).isPresent()) {
      return barred(type, known(providerName).get());
    }
    if (provider.isEmpty() || !provider.get().manifest().claimedTypes().contains(type)) {
      return new Resolution.NotSupported(type, operation, List.of(providerName));
    }
    return provider
        .get()
        .workflow(type, operation, tags)
        .map(d -> usable(provider.get(), type, operation, d))
        .orElseGet(() -> new Resolution.NotSupported(type, operation, List.of(providerName)));
  }

  private static Resolution usable(
      Provider provider, String type, Operation operation, Definition definition) {
    List<Diagnostic> missing = provider.missing(definition);
    return missing.isEmpty()
        ? new Resolution.Found(definition, deletionPolicy(provider, type))
        : new Resolution.MissingPrograms(type, operation, provider.name(), missing);
  }

  /** A workflow of that file, which no provider has, with all it calls. */
  public SubWorkflows.Linked link(String file, Definition definition) {
    return SubWorkflows.among(providers).link(definition.provider() + "/" + file, file, definition);
  }

  /** Which provider a type's "did you mean" belongs to. */
  public Optional<String> firstClaimant(String type) {
    return claimants.getOrDefault(type, List.of()).stream().map(Provider::name).findFirst();
  }

  private Resolution barred(String type, Provider provider) {
    String why =
        problems.stream()
            .filter(p -> p.provider().equals(provider.name()))
            .flatMap(p -> p.diagnostics().stream())
            .filter(d -> d.code().equals(Breach.CODE))
            .map(d -> d.text())
            .findFirst()
            .orElse("a policy");
    return new Resolution.Barred(type, provider.name(), why);
  }

  private static @Nullable String deletionPolicy(Provider provider, String type) {
    return provider
        .manifest()
        .capability(type)
        .map(Manifest.Capability::deletionPolicy)
        .orElse(null);
  }

  private static List<String> names(List<Provider> providers) {
    return providers.stream().map(Provider::name).toList();
  }

  private static Map<String, List<Provider>> claimants(List<Provider> providers) {
    Map<String, List<Provider>> byType = new TreeMap<>();
    for (Provider provider : providers) {
      for (String type : provider.manifest().claimedTypes()) {
        byType.computeIfAbsent(type, t -> new ArrayList<>()).add(provider);
      }
    }
    return byType;
  }
}
