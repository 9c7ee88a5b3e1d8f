package dev.slipway.applications.faults;

import dev.slipway.engine.execute.DefinitionSnapshot;
import dev.slipway.engine.execute.Executors;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.resolve.LiveRegistry;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.workflow.Workflow;
import dev.slipway.engine.workflow.WorkflowParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The workflows of all lives, and a provider of resources. */
final class Catalog {
  /** Workflows by name. */
  final Map<String, Workflow> workflows = new HashMap<>();

  final Registry registry;
  private final Map<Life, Resolution.Definition> definitions = new HashMap<>();
  private final WorkflowParser parser;

  Catalog(Executors executors, Path directory) throws IOException {
    this.parser = new WorkflowParser(executors.types());
    Resolution.Definition called = definition("called", Life.CALLED);
    for (Life life : Life.values()) {
      Resolution.Definition plain = definition(life.name().toLowerCase(Locale.ROOT), life.steps);
      definitions.put(
          life,
          life == Life.CALL
              ? plain.calling(Map.of("acme/called", DefinitionSnapshot.of(called).component()))
              : plain);
    }
    this.registry = registry(directory);
  }

  Resolution.Definition of(Life life) {
    return definitions.get(life);
  }

  private Resolution.Definition definition(String name, String steps) {
    String source = Life.workflow(name, steps);
    Diagnostics diagnostics = new Diagnostics();
    Workflow workflow =
        Document.parse(name + ".yaml", source, Limits.PROVIDER, diagnostics)
            .flatMap(document -> parser.parse(document, diagnostics))
            .orElseThrow(() -> new IllegalArgumentException(diagnostics + "\n" + source));
    workflows.put(name, workflow);
    return new Resolution.Definition(
        "acme", "1.0.0", null, "hash", null, Map.of(), workflow, source, Map.of());
  }

  private Registry registry(Path directory) throws IOException {
    Files.writeString(
        directory.resolve("provider.yaml"),
        """
        apiVersion: v1
        kind: Provider
        metadata: {name: boxes, version: 1.0.0}
        capabilities:
          resourceTypeCapabilities:
            - type: box
              operations:
                create: {workflow: create-box}
                update: {workflow: update-box}
                delete: {workflow: delete-box}
        workflows:
          - {name: create-box, file: ./create.yaml, operation: create}
          - {name: update-box, file: ./update.yaml, operation: update}
          - {name: delete-box, file: ./delete.yaml, operation: delete}
        """);
    for (String operation : List.of("create", "update", "delete")) {
      Files.writeString(
          directory.resolve(operation + ".yaml"),
          """
          apiVersion: innominatus.io/v1alpha1
          kind: Workflow
          metadata: {name: %s-box}
          parameters:
            - {name: size, type: integer, default: 1}
            - {name: url, type: string, default: none}
          steps:
            - {name: prepare, type: work}
            - {name: do, type: work}
          """
                  .formatted(operation)
              + (operation.equals("delete") ? "" : "outputs: {host: box.local}\n"));
    }
    Registry loaded =
        new LiveRegistry(
                new ProviderLoader(parser::parse), List.of(ProviderSource.directory(directory, 0)))
            .reload();
    if (!loaded.problems().isEmpty()) {
      throw new IllegalStateException(loaded.problems().toString());
    }
    return loaded;
  }
}
