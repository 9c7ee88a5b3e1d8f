package dev.slipway.git;

import dev.slipway.engine.resolve.ProviderSource.Location;
import dev.slipway.engine.value.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The state of each source that survives restarts, in one small file per source. */
record SourceMemory(Path directory) {
  private static final Logger LOG = LoggerFactory.getLogger(SourceMemory.class);

  /**
   * The commits of a source.
   *
   * @param newest the last commit of its ref
   * @param tag whether that ref is a tag, which must not move
   * @param lastGood the commit in service
   */
  record Known(
      @Nullable String newest, boolean tag, @Nullable String lastGood, @Nullable Instant fetched) {
    static final Known NOTHING = new Known(null, false, null, null);
  }

  /** The identity of a source; credentials are not part of it. */
  static String key(Location.Git git) {
    return git.url() + "#" + git.path() + "@" + git.kind() + ":" + git.ref();
  }

  Known recall(Location.Git git) {
    Path file = file(git);
    if (!Files.exists(file)) {
      return Known.NOTHING;
    }
    try {
      Map<String, Object> tree = Json.readMap(Files.readString(file));
      return new Known(
          commit(tree, "newest").orElse(null),
          Boolean.TRUE.equals(tree.get("tag")),
          commit(tree, "lastGood").orElse(null),
          tree.get("fetched") instanceof String at ? Instant.parse(at) : null);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} cannot be read and is created again: {}", file, e.getMessage());
      return Known.NOTHING;
    }
  }

  private static Optional<String> commit(Map<String, Object> tree, String key) {
    return tree.get(key) instanceof String text && RemoteRefs.isCommit(text)
        ? Optional.of(text)
        : Optional.empty();
  }

  void keep(Location.Git git, Known known) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("source", key(git));
    tree.put("newest", known.newest());
    tree.put("tag", known.tag());
    tree.put("lastGood", known.lastGood());
    tree.put("fetched", known.fetched() == null ? null : known.fetched().toString());
    try {
      Files.createDirectories(directory);
      Path fresh = Files.createTempFile(directory, ".source", "");
      Files.writeString(fresh, Json.write(tree));
      Files.move(fresh, file(git), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      LOG.warn("the state of source {} could not be stored: {}", git.url(), e.getMessage());
    }
  }

  /**
   * Deletes the state of all other sources that was not written since {@code since}: a pinned tag
   * would otherwise bind a source that is added again to a commit that may no longer exist.
   */
  void keepOnly(Set<String> keys, Instant since) {
    Set<String> kept = keys.stream().map(SourceMemory::name).collect(Collectors.toSet());
    if (!Files.isDirectory(directory)) {
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (!kept.contains(file.getFileName().toString())
            && Files.getLastModifiedTime(file).toInstant().isBefore(since)) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      LOG.warn("the stored state of removed sources could not be deleted: {}", e.getMessage());
    }
  }

  private Path file(Location.Git git) {
    return directory.resolve(name(key(git)));
  }

  private static String name(String key) {
    return RepositoryCopies.hash(key) + ".json";
  }
}
