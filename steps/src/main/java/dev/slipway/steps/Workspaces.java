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
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Directories of this server in which the steps of a run leave files for each other: one a run,
 * below one a provider. They stay a while after the run, because a retry goes on with them.
 */
public final class Workspaces {
  private final Path root;

  /** Below the data directory. */
  public Workspaces(Path data) {
    this.root = data.toAbsolutePath().normalize().resolve("workspaces");
  }

  /** Of everything that a provider's runs left. */
  Path of(String provider) {
    return PathName.below(root, provider);
  }

  Path of(String provider, UUID run) {
    return of(provider).resolve(run.toString());
  }

  /** Removes those of runs that are not {@code needed} any more, asked with all that there are. */
  public void tidy(UnaryOperator<Set<UUID>> needed) {
    Map<UUID, Path> found = new HashMap<>();
    for (Path provider : children(root)) {
      for (Path run : children(provider)) {
        if (run.getFileName().toString().matches("[0-9a-f-]{36}")) {
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
