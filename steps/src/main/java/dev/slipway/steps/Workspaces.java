package dev.slipway.steps;

import dev.slipway.steps.process.PathName;
import dev.slipway.steps.process.Removal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Directories in which the steps of a run exchange files: one per run, below one per provider. They
 * are kept for a while after the run, because a retry continues with them.
 */
public final class Workspaces {
  private static final String RUN = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  private final Path data;
  private final Path root;
  private final RunFamily family;

  /** Keeps them below the data directory. */
  public Workspaces(Path data, RunFamily family) {
    this.data = data.toAbsolutePath().normalize();
    this.root = this.data.resolve("workspaces");
    this.family = family;
  }

  Path data() {
    return data;
  }

  Path of(String provider, UUID run) {
    return PathName.below(root, provider).resolve(run.toString());
  }

  /**
   * The workspace that holds an absolute path, if that run may use it: its own, or that of a
   * related run (by retry, rollback or call).
   */
  Optional<Path> holding(Path path, String provider, UUID run) {
    Path parent = PathName.below(root, provider);
    if (!path.startsWith(parent) || path.getNameCount() <= parent.getNameCount()) {
      return Optional.empty();
    }
    String name = path.getName(parent.getNameCount()).toString();
    return name.matches(RUN) && ofFamily(run, UUID.fromString(name))
        ? Optional.of(parent.resolve(name))
        : Optional.empty();
  }

  private boolean ofFamily(UUID run, UUID other) {
    return run.equals(other) || family.related(run, other);
  }

  /**
   * Removes workspaces of runs that {@code needed} does not return; it receives the runs of all.
   */
  public void tidy(UnaryOperator<Set<UUID>> needed) {
    Map<UUID, Path> found = new HashMap<>();
    for (Path provider : children(root)) {
      for (Path run : children(provider)) {
        if (run.getFileName().toString().matches(RUN)) {
          found.put(UUID.fromString(run.getFileName().toString()), run);
        }
      }
    }
    if (found.isEmpty()) {
      return;
    }
    Set<UUID> keep = needed.apply(found.keySet());
    found.forEach(
        (run, path) -> {
          if (!keep.contains(run)) {
            Removal.attempt(path);
          }
        });
  }

  private static List<Path> children(Path directory) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(directory)) {
      return new ArrayList<>(children.toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
