package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Deploys a file and, on a terminal, watches until it is real. */
@Command(
    name = "deploy",
    description = "Makes what FILE asks for real; deploying again is an update.")
final class DeployVerb extends Verb {
  @Parameters(paramLabel = "FILE", description = "A Score file.")
  Path file;

  @Mixin DeployOptions options;
  @Mixin WaitOptions waiting;

  @Option(
      names = "--plan",
      paramLabel = "FILE",
      description = "Do exactly what this kept plan says, or nothing (exit 5).")
  @Nullable Path plan;

  @Option(names = "--dry-run", description = "Check and plan only.")
  boolean dryRun;

  @Override
  @Nullable String environmentFlag() {
    return options.environment;
  }

  @Override
  public Integer call() throws Exception {
    Map<String, Object> query = new LinkedHashMap<>(options.query(settings()));
    if (plan != null) {
      query.put("planHash", hashOf(plan));
    }
    if (dryRun) {
      query.put("dryRun", true);
    }
    Map<String, Object> reply =
        api().postDocument("/api/applications", query, ScoreFile.read(file), file.toString());
    Api.items(reply.get("warnings")).forEach(w -> err.println(ApiProblem.diagnostic(w)));
    String name = String.valueOf(reply.get("name"));
    String environment = String.valueOf(reply.get("environment"));
    if (root().output != null) {
      show(reply, "name");
    }
    if (dryRun) {
      err.println("Dry run: nothing was changed.");
      return ExitCode.OK.code();
    }
    boolean unchanged = Boolean.FALSE.equals(reply.get("changed"));
    if (unchanged) {
      err.println(
          name
              + " is unchanged: revision "
              + reply.get("revision")
              + " is already what the file says.");
    }
    if (!waiting.waits(screen())) {
      if (reply.get("approvalId") != null) {
        return waitsForApproval(name, reply);
      }
      err.println(
          (unchanged ? "" : "Accepted as revision " + reply.get("revision") + ". ")
              + "Watch with: slipway wait "
              + name
              + Hints.in(environment));
      return ExitCode.OK.code();
    }
    return new Watch(api(), screen(), err)
        .application(
            name, environment, String.valueOf(reply.get("deploymentId")), waiting.duration());
  }

  private static String hashOf(Path plan) {
    try {
      Object hash =
          Json.readMap(new String(ScoreFile.bytes(plan), StandardCharsets.UTF_8)).get("hash");
      if (hash instanceof String text) {
        return text;
      }
    } catch (IllegalArgumentException e) {
      // Said below: whatever is in there, it is no plan.
    }
    throw new Failure(
        ExitCode.FAILED, plan + " is no plan", "Make one with: slipway plan FILE -o " + plan);
  }
}
