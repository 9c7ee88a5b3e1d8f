package dev.slipway.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A provider of resources of type {@code vault}, whose parameter and output are secret. */
final class VaultProvider {
  private VaultProvider() {}

  /** Writes it below the directory; returns a configuration that loads it. */
  static Path write(Path directory) throws IOException {
    Path provider = Files.createDirectories(directory.resolve("tools"));
    Files.writeString(
        provider.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: tools, version: 1.0.0}
        capabilities: {resourceTypes: [vault]}
        workflows: [{name: make-vault, file: ./make.yaml}]
        """);
    Files.writeString(
        provider.resolve("make.yaml"),
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: make-vault}
        parameters: [{name: password, type: secret}]
        steps: [{name: make, type: shell, script: 'echo OUTPUT_token={{ .parameters.password }}'}]
        outputs: {token: {value: '{{ .steps.make.output.token }}', secret: true}}
        """);
    return Files.writeString(
        directory.resolve("admin-config.yaml"),
        "providers: [{source: filesystem, path: ./tools}]\n");
  }
}
