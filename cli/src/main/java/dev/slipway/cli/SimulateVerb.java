package dev.slipway.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what deploying a file would run, step by step, without running it. */
@Command(
    name = "simulate",
    description = {
      "Shows which workflows and steps deploying FILE would run, with rendered inputs.",
      "Nothing is run or changed. With --provider no server is needed."
    })
final class SimulateVerb extends Verb {
  @Parameters(paramLabel = "FILE", description = "A Score file.")
  Path file;

  @Mixin DeployOptions options;

  @Option(
      names = "--provider",
      paramLabel = "DIR",
      description = "Offline, with this provider instead of a server's; may be repeated.")
  List<Path> providers = List.of();

  @Override
  @Nullable String environmentFlag() {
    return options.environment;
  }

  @Override
  public Integer call() throws Exception {
    Map<String, Object> simulation =
        providers.isEmpty()
            ? api()
                .postDocument(
                    "/api/simulate",
                    options.query(settings()),
                    ScoreFile.read(file),
                    file.toString())
            : new OfflineSimulation(providers).of(file, options, environment());
    if (root().output == null) {
      new SimulationText(screen()).lines(simulation).forEach(out::println);
    } else {
      show(simulation, "plan");
    }
    return ExitCode.OK.code();
  }
}
