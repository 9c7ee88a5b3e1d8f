package dev.slipway.engine.resolve;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.intake.Position;
import dev.slipway.engine.resolve.ProviderProblem.Availability;
import dev.slipway.engine.resolve.ProviderProblem.Kind;
import dev.slipway.engine.resolve.ProviderSource.Location;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registry in force now. A reload builds a complete new one beside it and swaps it in; a
 * provider that is broken now stays in service in its last good version. Runs in flight keep what
 * they began with, so a swap touches none of them.
 */
public final class LiveRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(LiveRegistry.class);

  private final ProviderLoader loader;
  private final Function<Provider, List<Diagnostic>> policies;
  private final Map<ProviderSource, Provider> lastGood = new HashMap<>();
  private final List<BiConsumer<Registry, Registry>> listeners = new CopyOnWriteArrayList<>();
  private volatile RemoteSources remote = RemoteSources.NONE;
  private List<ProviderSource> sources;
  private volatile Registry current = Registry.EMPTY;

  /** Of these sources, in order; nothing is loaded before the first {@link #reload()}. */
  public LiveRegistry(ProviderLoader loader, List<ProviderSource> sources) {
    this(loader, sources, provider -> List.of());
  }

  /** The same; {@code policies} says what is forbidden of what a provider does. */
  public LiveRegistry(
      ProviderLoader loader,
      List<ProviderSource> sources,
      Function<Provider, List<Diagnostic>> policies) {
    this.loader = loader;
    this.policies = policies;
    this.sources = List.copyOf(sources);
  }

  /** From now on repositories are asked for here. */
  public LiveRegistry fetching(RemoteSources from) {
    remote = from;
    return this;
  }

  /** What is in force. Ask once and use the answer for everything that belongs together. */
  public Registry current() {
    return current;
  }

  /** Calls the listener after every swap with the registries before and after it. */
  public void onSwap(BiConsumer<Registry, Registry> listener) {
    listeners.add(listener);
  }

  /** The sources in force. */
  public synchronized List<ProviderSource> sources() {
    return sources;
  }

  /** Takes other sources and loads everything. */
  public synchronized Registry reload(List<ProviderSource> newSources) {
    sources = List.copyOf(newSources);
    lastGood.keySet().retainAll(sources);
    return reload();
  }

  /** Loads everything again and swaps. */
  public synchronized Registry reload() {
    Map<String, Provider> byName = new java.util.LinkedHashMap<>();
    List<Provider> refused = new ArrayList<>();
    List<ProviderProblem> problems = new ArrayList<>();
    for (ProviderSource source : sources) {
      Provider provider = load(source, problems);
      if (provider == null || refused(provider, problems)) {
        if (provider != null) {
          refused.add(provider);
        }
        continue;
      }
      Provider earlier = byName.putIfAbsent(provider.name(), provider);
      if (earlier != null) {
        problems.add(duplicate(provider, earlier));
      }
    }
    Registry before = current;
    Registry now = new Registry(linked(byName.values(), problems), refused, problems);
    current = now;
    tell(now);
    listeners.forEach(listener -> listener.accept(before, now));
    return now;
  }

  /** All of them together, because workflows call those of other providers. */
  private static List<Provider> linked(
      Collection<Provider> loaded, List<ProviderProblem> problems) {
    SubWorkflows calls = SubWorkflows.among(loaded);
    List<Provider> all = loaded.stream().map(calls::link).toList();
    for (Provider provider : all) {
      List<Diagnostic> missing = new ArrayList<>();
      provider.missing().values().forEach(missing::addAll);
      missing.removeIf(d -> !d.isError() || d.code().equals("missing-program"));
      if (!missing.isEmpty()) {
        problems.add(
            new ProviderProblem(
                provider.name(),
                provider.source().label(),
                Kind.MISSING_WORKFLOW,
                missing.stream().distinct().toList(),
                Availability.PARTLY_IN_SERVICE));
      }
    }
    return all;
  }

  private @Nullable Provider load(ProviderSource source, List<ProviderProblem> problems) {
    ProviderLoader.Loaded loaded =
        switch (source.location()) {
          case Location.Directory directory -> fromDirectory(source, directory.path());
          case Location.Git git -> fromRepository(source, problems);
        };
    if (loaded.provider().isPresent()) {
      Provider good = loaded.provider().get();
      lastGood.put(source, good);
      if (!good.missing().isEmpty()) {
        problems.add(missingPrograms(good));
      }
      return good;
    }
    Provider good = loaded.problem() == Kind.INCOMPATIBLE ? null : lastGood.get(source);
    problems.add(
        new ProviderProblem(
            good == null ? loaded.name() : good.name(),
            source.label(),
            loaded.problem(),
            loaded.diagnostics(),
            good == null ? Availability.OUT_OF_SERVICE : Availability.LAST_GOOD_VERSION));
    return good;
  }

  /** A version that was good under other policies is not good any more. */
  private boolean refused(Provider provider, List<ProviderProblem> problems) {
    List<Diagnostic> refusals = policies.apply(provider);
    if (refusals.isEmpty()) {
      return false;
    }
    problems.add(
        new ProviderProblem(
            provider.name(),
            provider.source().label(),
            Kind.REFUSED,
            refusals,
            Availability.OUT_OF_SERVICE));
    return true;
  }

  private ProviderLoader.Loaded fromDirectory(ProviderSource source, Path path) {
    if (!Files.isDirectory(path)) {
      return broken(source, "the provider's directory " + path + " does not exist");
    }
    try {
      return loader.load(source, path, null);
    } catch (RuntimeException e) {
      LOG.warn("provider at {} cannot be loaded", path, e);
      return broken(source, "the provider cannot be read: " + e.getMessage());
    }
  }

  /** The newest commit; the last good one stays in service while it cannot be used. */
  private ProviderLoader.Loaded fromRepository(
      ProviderSource source, List<ProviderProblem> problems) {
    RemoteSources.Report report = remote.look(source);
    if (report.newest().isEmpty()) {
      return report
          .failure()
          .map(f -> broken(source, f.message(), f.hint()))
          .orElseGet(() -> fetching(source));
    }
    ProviderLoader.Loaded newest = fromCopy(source, report.newest().get());
    if (newest.provider().isPresent()) {
      Provider good = newest.provider().get();
      report.failure().ifPresent(f -> problems.add(stale(good, f)));
      remote.inService(source, report.newest().get().commit());
    } else if (!lastGood.containsKey(source)) {
      report
          .lastGood()
          .flatMap(copy -> fromCopy(source, copy).provider())
          .ifPresent(good -> lastGood.put(source, good));
    }
    return newest;
  }

  private ProviderLoader.Loaded fromCopy(ProviderSource source, RemoteSources.Copy copy) {
    Provider known = lastGood.get(source);
    if (known != null && copy.commit().equals(known.commit())) {
      return new ProviderLoader.Loaded(
          known.name(), Optional.of(known), Kind.BROKEN, List.of()); // a commit never changes
    }
    try {
      return loader.load(source, copy.directory(), copy.commit());
    } catch (RuntimeException e) {
      LOG.warn("provider of {} at {} cannot be loaded", source.label(), copy.commit(), e);
      return broken(source, "the provider cannot be read: " + e.getMessage());
    }
  }

  private static ProviderLoader.Loaded fetching(ProviderSource source) {
    ProviderLoader.Loaded yet =
        broken(source, "it is not fetched yet", "It is loaded as soon as it is.");
    return new ProviderLoader.Loaded(
        yet.name(), Optional.empty(), Kind.FETCHING, yet.diagnostics());
  }

  private static ProviderProblem stale(Provider good, RemoteSources.Failure failure) {
    return new ProviderProblem(
        good.name(),
        good.source().label(),
        Kind.UNREACHABLE,
        broken(good.source(), failure.message(), failure.hint()).diagnostics(),
        Availability.LAST_GOOD_VERSION);
  }

  private static ProviderLoader.Loaded broken(ProviderSource source, String message) {
    return broken(source, message, "Correct the entry under providers in the configuration.");
  }

  private static ProviderLoader.Loaded broken(ProviderSource source, String message, String hint) {
    Diagnostic diagnostic =
        Diagnostic.error(
            "provider-load",
            source.label(),
            dev.slipway.engine.intake.Path.ROOT,
            Position.START,
            message,
            hint);
    return new ProviderLoader.Loaded(
        source.name() == null ? source.label() : source.name(),
        Optional.empty(),
        Kind.UNREACHABLE,
        List.of(diagnostic));
  }

  private static ProviderProblem missingPrograms(Provider provider) {
    return new ProviderProblem(
        provider.name(),
        provider.source().label(),
        Kind.MISSING_PROGRAM,
        provider.missing().values().stream().flatMap(List::stream).distinct().toList(),
        Availability.PARTLY_IN_SERVICE);
  }

  private static ProviderProblem duplicate(Provider provider, Provider earlier) {
    Diagnostic diagnostic =
        Diagnostic.error(
            "duplicate-provider",
            provider.manifestFile(),
            dev.slipway.engine.intake.Path.of("metadata", "name"),
            Position.START,
            "provider '" + provider.name() + "' is already loaded from " + earlier.source().label(),
            "Rename one of them, or remove one from the configuration.");
    return new ProviderProblem(
        provider.name(),
        provider.source().label(),
        Kind.DUPLICATE_NAME,
        List.of(diagnostic),
        Availability.OUT_OF_SERVICE);
  }

  private static void tell(Registry now) {
    LOG.info(
        "providers loaded: {} in service, {} with problems, {} conflicts",
        now.providers().size(),
        now.problems().size(),
        now.conflicts().size());
    now.conflicts().forEach(c -> LOG.warn("{}", c.message()));
    now.problems().stream()
        .filter(p -> p.kind() != Kind.FETCHING)
        .forEach(p -> p.diagnostics().forEach(d -> LOG.warn("{}", d.text())));
  }
}
