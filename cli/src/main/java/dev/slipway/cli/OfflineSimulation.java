package dev.slipway.cli;

import dev.slipway.engine.intake.Diagnostic;
import dev.slipway.engine.resolve.OfflineDocuments;
import dev.slipway.engine.resolve.OfflineDocuments.Simulated;
import dev.slipway.engine.resolve.Provider;
import dev.slipway.engine.resolve.ProviderLoader;
import dev.slipway.engine.value.Values;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A simulation without a server: everything is new, and only the named providers are there. */
record OfflineSimulation(List<Path> directories) {
  Map<String, Object> of(Path file, DeployOptions options, String environment) {
    OfflineDocuments documents =
        Validation.documents()
            .orElseThrow(() -> new Failure(ExitCode.FAILED, Validation.NO_DOCUMENTS));
    OfflineDocuments.Request request =
        new OfflineDocuments.Request(
            environment,
            options.team == null ? "default" : options.team,
            System.getProperty("user.name"),
            options.images,
            load(),
            KnownSteps.types());
    return switch (documents.simulate(file.toString(), ScoreFile.read(file), request)) {
      case Simulated.Simulation(Record answer) -> Values.map(RecordTree.of(answer));
      case Simulated.Unreadable(List<Diagnostic> found) ->
          throw new Failure(ExitCode.FAILED, file + " cannot be deployed", texts(found));
      case Simulated.Refused(List<Diagnostic> found) ->
          throw new Failure(ExitCode.FAILED, "it would be refused", texts(found));
    };
  }

  private List<Provider> load() {
    List<Provider> providers = new ArrayList<>();
    for (Path directory : directories) {
      ProviderLoader.Loaded loaded = Validation.load(directory);
      providers.add(
          loaded
              .provider()
              .orElseThrow(
                  () ->
                      new Failure(
                          ExitCode.FAILED,
                          directory + " cannot be used",
                          texts(loaded.diagnostics()))));
    }
    return providers;
  }

  private static List<String> texts(List<Diagnostic> diagnostics) {
    return diagnostics.stream().map(Diagnostic::text).toList();
  }
}
