package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what deploying a file would do. */
@Command(name = "plan", description = "Shows what deploying FILE would create, change and delete.")
final class PlanVerb extends Verb {
  @Parameters(paramLabel = "FILE", description = "A Score file.")
  Path file;

  @Mixin DeployOptions options;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Keeps the plan for 'deploy --plan'. (-o FILE does the same.)")
  @Nullable Path save;

  @Option(names = "--detailed-exitcode", description = "Exit with 2 when there are changes.")
  boolean detailed;

  @Override
  @Nullable String environmentFlag() {
    return options.environment;
  }

  @Override
  public Integer call() throws Exception {
    takeOutputAsFile();
    Map<String, Object> plan =
        api()
            .postDocument(
                "/api/workflow-analysis",
                options.query(settings()),
                ScoreFile.read(file),
                file.toString());
    if (root().output == null) {
      new PlanText(screen()).lines(plan).forEach(out::println);
    } else {
      show(plan, "hash");
    }
    if (save != null) {
      keep(plan, save);
      err.println(
          "Plan kept in "
              + save
              + ". Carry it out with: slipway deploy "
              + file
              + " --plan "
              + save);
    }
    return detailed && PlanText.changes(plan) ? ExitCode.CHANGES.code() : ExitCode.OK.code();
  }

  /** {@code -o plan.json} means a file where no format has that name. */
  private void takeOutputAsFile() {
    String asked = root().output;
    boolean format =
        asked == null
            || List.of(Format.values()).stream().anyMatch(f -> f.name().equalsIgnoreCase(asked));
    if (!format) {
      save = Path.of(asked);
      root().output = null;
    }
  }

  private static void keep(Map<String, Object> plan, Path file) {
    Map<String, Object> kept = new LinkedHashMap<>();
    for (String key : List.of("hash", "application", "environment")) {
      kept.put(key, plan.get(key));
    }
    try {
      Files.writeString(file, Json.pretty(Values.map(kept)) + "\n");
    } catch (IOException e) {
      throw new Failure(ExitCode.FAILED, "cannot write " + file + ": " + e.getMessage());
    }
  }
}
