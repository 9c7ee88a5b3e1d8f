package dev.slipway.engine.resolve;

import dev.slipway.engine.workflow.Workflow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Writes providers into a directory and loads them; workflow files only need to be YAML maps. */
final class ProviderFiles {
  static final ProviderLoader LOADER =
      new ProviderLoader(
          (document, diagnostics) ->
              Optional.of(
                  new Workflow(
                      document.file(), "", List.of(), Map.of(), List.of(), Map.of(), List.of())));

  private ProviderFiles() {}

  static Path write(Path directory, String manifest) {
    try {
      Files.createDirectories(directory);
      Files.writeString(directory.resolve("provider.yaml"), manifest);
      Files.writeString(directory.resolve("w.yaml"), "kind: Workflow\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return directory;
  }

  static ProviderLoader.Loaded load(Path directory, String manifest) {
    write(directory, manifest);
    return LOADER.load(ProviderSource.directory(directory, 0), directory, null);
  }

  /** A simple provider that creates, updates and deletes the given types. */
  static String simple(String name, String... types) {
    return """
        apiVersion: v1
        kind: Provider
        metadata: {name: %s, version: 1.0.0}
        capabilities: {resourceTypes: [%s]}
        workflows:
          - {name: make, file: ./w.yaml, category: provisioner}
          - {name: drop, file: ./w.yaml, operation: delete}
        """
        .formatted(name, String.join(", ", types));
  }

  static Registry registry(Path root, Object... manifestsAndPrecedences) {
    List<ProviderSource> sources = new java.util.ArrayList<>();
    for (int i = 0; i < manifestsAndPrecedences.length; i += 2) {
      Path directory = write(root.resolve("p" + i), (String) manifestsAndPrecedences[i]);
      sources.add(ProviderSource.directory(directory, (Integer) manifestsAndPrecedences[i + 1]));
    }
    return new LiveRegistry(LOADER, sources).reload();
  }
}
