package dev.slipway.cli;

import dev.slipway.engine.intake.DurationText;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Watches an application until its deployment has ended. */
@Command(name = "wait", description = "Waits until the last deployment of APP has ended.")
final class WaitVerb extends PlacedVerb {
  @Parameters(paramLabel = "APP")
  String application;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "Give up after this long (30m).")
  String timeout = "30m";

  @Override
  public Integer call() throws Exception {
    Map<String, Object> found =
        api().get(path("applications", application), Api.query("environment", environment()));
    return new Watch(api(), screen(), err)
        .application(
            application,
            environment(),
            String.valueOf(found.get("deploymentId")),
            DurationText.parse(timeout)
                .orElseThrow(
                    () ->
                        new Failure(
                            ExitCode.USAGE,
                            "'" + timeout + "' is no duration",
                            DurationText.FORMS)));
  }
}
