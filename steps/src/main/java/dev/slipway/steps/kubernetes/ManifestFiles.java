package dev.slipway.steps.kubernetes;

import dev.slipway.engine.workflow.ManifestRendering;
import dev.slipway.engine.workflow.RenderedManifest;
import dev.slipway.engine.workflow.RenderingException;
import dev.slipway.kubernetes.apply.RefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads manifests that lie in a provider's directory. */
final class ManifestFiles {
  private static final int MOST_FILES = 500;
  private static final long LARGEST = 4L << 20;

  private ManifestFiles() {}

  /** The documents of a file, or of all YAML and JSON files of a directory by name. */
  static List<RenderedManifest> read(@Nullable String provider, String path)
      throws RefusedException {
    try {
      Path root = Path.of(String.valueOf(provider)).toRealPath();
      Path target = root.resolve(path).normalize();
      if (provider == null || !target.startsWith(root)) {
        throw refused("'" + path + "' does not lie in the provider's directory");
      }
      if (!Files.exists(target)) {
        throw refused("the provider has no '" + path + "'");
      }
      List<RenderedManifest> all = new ArrayList<>();
      for (Path file : files(target)) {
        all.addAll(documents(root, file));
      }
      return all;
    } catch (IOException e) {
      throw refused("'" + path + "' cannot be read: " + e.getMessage());
    }
  }

  private static List<Path> files(Path target) throws IOException {
    if (!Files.isDirectory(target)) {
      return List.of(target);
    }
    try (Stream<Path> children = Files.list(target)) {
      return children
          .filter(file -> file.toString().matches(".*\\.(ya?ml|json)"))
          .filter(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
          .sorted()
          .limit(MOST_FILES)
          .toList();
    }
  }

  private static List<RenderedManifest> documents(Path root, Path file)
      throws IOException, RefusedException {
    Path real = file.toRealPath();
    if (!real.startsWith(root) || Files.size(real) > LARGEST) {
      throw refused("'" + root.relativize(file) + "' leads out of the provider or is too large");
    }
    try {
      return ManifestRendering.read(root.relativize(file).toString(), Files.readString(real));
    } catch (RenderingException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  private static RefusedException refused(String message) {
    return RefusedException.last("invalid-manifest", message, "Correct the provider's files.");
  }
}
