package dev.slipway.bench;

import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.resolve.Manifest;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.workflow.WorkflowParser;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A provider of the type {@code thing}, whose workflows have two steps that do nothing; {@code
 * read} has one, as those of the bundled providers.
 */
final class BenchProvider {
  private BenchProvider() {}

  /** One provider with these operations. */
  static Registry registry(WorkflowParser parser, List<Operation> operations) {
    Map<String, Resolution.Definition> definitions = new LinkedHashMap<>();
    Map<Operation, Manifest.Choice> choices = new EnumMap<>(Operation.class);
    for (Operation operation : operations) {
      String name = operation.text() + "-thing";
      definitions.put(name, definition(parser, name, operation));
      choices.put(
          operation,
          new Manifest.Choice(List.of(new Manifest.Choice.Option(name, List.of())), name));
    }
    Manifest manifest =
        new Manifest(
            "bench",
            "1.0.0",
            new Manifest.About("service", "", "", "", "", "", List.of()),
            null,
            null,
            List.of(),
            List.of(new Manifest.Capability("thing", "provider.yaml:1:1", null, null, choices)),
            List.of(),
            Map.of());
    Provider provider =
        new Provider(
            manifest,
            ProviderSource.directory(Path.of("bench"), 0),
            "provider.yaml",
            null,
            "bench",
            definitions,
            Map.of());
    return new Registry(List.of(provider), List.of());
  }

  private static Resolution.Definition definition(
      WorkflowParser parser, String name, Operation operation) {
    String text =
        """
        apiVersion: innominatus.io/v1alpha1
        kind: Workflow
        metadata: {name: %s}
        parameters:
          - {name: url, type: string, default: ''}
        steps:
        %s
          - {name: last, type: noop, config: {result: {host: 'x'}}}
        outputs:
          host: '{{ .steps.last.output.host }}'
        """
            .formatted(name, operation == Operation.READ ? "" : "  - {name: first, type: noop}");
    Diagnostics diagnostics = new Diagnostics();
    return Document.parse("bench.yaml", text, Limits.PROVIDER, diagnostics)
        .flatMap(d -> parser.parse(d, diagnostics))
        .map(
            w ->
                new Resolution.Definition(
                    "bench", "1.0.0", null, name, null, Map.of(), w, text, Map.of()))
        .orElseThrow(() -> new IllegalStateException(diagnostics.all().toString()));
  }
}
