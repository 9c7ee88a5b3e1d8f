package dev.slipway.git;

import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.execute.ProviderFiles;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.resolve.ProviderSource.Location;
import dev.slipway.engine.resolve.RemoteSources;
import dev.slipway.engine.threads.Threads;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The providers from Git on this machine. Each source is watched from its first use; runs find the
 * files of their own commit here, also after the source has moved on or is gone.
 */
public final class GitSources implements RemoteSources, ProviderFiles, AutoCloseable {
  private final RepositoryCopies copies;
  private final SourceMemory memory;
  private final GitLimits limits;
  private final InstantSource clock;
  private final Map<String, WatchedSource> watched = new ConcurrentHashMap<>();
  private final Threads threads;
  private @Nullable Runnable listener;
  private boolean missed;

  /** Keeps copies below that directory of this machine. */
  public GitSources(
      Path directory, GitLimits limits, TreeLimits tree, InstantSource clock, Threads threads) {
    this.copies = new RepositoryCopies(directory, limits, tree);
    this.memory = new SourceMemory(directory.resolve("sources"));
    this.limits = limits;
    this.clock = clock;
    this.threads = threads;
  }

  /** Calls {@code whom} whenever a source has a new report, and at once if there is one already. */
  public void onChange(Runnable whom) {
    boolean late;
    synchronized (this) {
      listener = whom;
      late = missed;
    }
    if (late) {
      whom.run();
    }
  }

  private void changed() {
    Runnable whom;
    synchronized (this) {
      whom = listener;
      missed = whom == null;
    }
    if (whom != null) {
      whom.run();
    }
  }

  @Override
  public Report look(ProviderSource source) {
    return watched(source).report();
  }

  @Override
  public void refresh(ProviderSource source) {
    watched(source).fetch();
  }

  @Override
  public void inService(ProviderSource source, String commit) {
    watched(source).inService(commit);
  }

  private WatchedSource watched(ProviderSource source) {
    if (!(source.location() instanceof Location.Git git)) {
      throw new IllegalArgumentException(source.label() + " is no repository");
    }
    WatchedSource found =
        watched.computeIfAbsent(
            SourceMemory.key(git),
            key ->
                new WatchedSource(source, copies, memory, limits, clock, this::changed)
                    .start(threads));
    found.now(source);
    return found;
  }

  /** Stops watching all other sources. */
  public void keepOnly(List<ProviderSource> configured) {
    Set<String> keys =
        configured.stream()
            .filter(s -> s.location() instanceof Location.Git)
            .map(s -> SourceMemory.key((Location.Git) s.location()))
            .collect(Collectors.toSet());
    watched.forEach(
        (key, source) -> {
          if (!keys.contains(key)) {
            source.close();
            watched.remove(key);
          }
        });
  }

  /**
   * Removes the files of commits that neither a source nor an active run needs, and the copies of
   * repositories that no source and no run (active or to be retried) needs. As long as a copy
   * exists, files can be checked out again.
   */
  public void tidy(Set<String> ofRuns, Set<String> ofRetries, Instant unusedSince) {
    Set<String> needed = new HashSet<>(ofRuns);
    watched
        .values()
        .forEach(
            source -> {
              Optional.ofNullable(source.known().newest()).ifPresent(needed::add);
              Optional.ofNullable(source.known().lastGood()).ifPresent(needed::add);
            });
    copies.checkouts().keepOnly(needed, unusedSince);
    Set<String> held = new HashSet<>(ofRuns);
    held.addAll(ofRetries);
    copies.keepOnly(
        watched.values().stream()
            .flatMap(source -> source.repository().stream())
            .collect(Collectors.toSet()),
        held,
        unusedSince);
    memory.keepOnly(watched.keySet(), unusedSince);
  }

  @Override
  public @Nullable String directory(DefinitionSnapshot definition) {
    return Place.of(definition)
        .map(place -> copies.checkouts().path(place.commit(), place.path()).toString())
        .orElse(definition.directory());
  }

  @Override
  public void ensure(DefinitionSnapshot definition) {
    Place.of(definition)
        .ifPresent(
            place -> {
              RepositoryUrl url =
                  RepositoryUrl.parse(place.url(), RepositoryUrl.Allow.REMOTE_AND_FILES);
              if (copies.files(url, place.commit()).isEmpty()) {
                copies.files(new Remote(url, credentials(url), limits), place.commit());
              }
            });
  }

  /** The credentials of any source with the same repository. */
  private GitCredentials credentials(RepositoryUrl url) {
    return watched.values().stream()
        .filter(source -> source.uses(url))
        .map(WatchedSource::credentials)
        .findFirst()
        .orElse(GitCredentials.NONE);
  }

  /** The place of a definition's files, the same for every machine, as the loader wrote it. */
  private record Place(String url, String path, String commit) {
    static Optional<Place> of(DefinitionSnapshot definition) {
      String text = definition.directory();
      String commit = definition.commit();
      if (text == null || commit == null) {
        return Optional.empty();
      }
      int hash = text.lastIndexOf('#');
      return hash < 0
          ? Optional.empty()
          : Optional.of(new Place(text.substring(0, hash), text.substring(hash + 1), commit));
    }
  }

  @Override
  public void close() {
    watched.values().forEach(WatchedSource::close);
  }
}
