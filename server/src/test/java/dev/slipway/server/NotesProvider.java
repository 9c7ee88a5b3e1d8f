package dev.slipway.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A provider with one workflow, which is also the golden path {@code tell}. */
final class NotesProvider {
  private NotesProvider() {}

  /** Writes it below the directory; returns a configuration that loads it. */
  static Path write(Path directory, String moreOfTheStep) throws IOException {
    Path provider = Files.createDirectories(directory.resolve("notes"));
    Files.writeString(
        provider.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: notes, version: 1.0.0}
        capabilities: {resourceTypes: [note]}
        workflows:
          - {name: make-note, file: ./make.yaml, category: provisioner}
          - {name: tell, file: ./make.yaml, category: goldenpath}
        """);
    Files.writeString(
        provider.resolve("make.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: make-note}
        steps:
          - {name: write, type: shell, config: {script: 'exit 0'%s}}
        """
            .formatted(moreOfTheStep));
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        "providers:\n  - {source: filesystem, path: %s}\n".formatted(provider));
  }
}
