package dev.slipway.cli;

import dev.slipway.engine.intake.DurationText;
import java.util.List;
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
    List<Map<String, Object>> deployments =
        api()
            .list(
                "/api/deployments", Api.query("app", application, "environment", environment()), 1);
    if (deployments.isEmpty()) {
      // says that there is no such application, and which one may have been meant
      api().get(path("applications", application), Api.query("environment", environment()));
    }
    Map<String, Object> newest = deployments.getFirst();
    if ("teardown".equals(newest.get("kind")) && "completed".equals(newest.get("status"))) {
      err.println(application + " is destroyed.");
      return ExitCode.OK.code();
    }
    return new Watch(api(), screen(), err)
        .application(
            application,
            environment(),
            String.valueOf(newest.get("id")),
            DurationText.parse(timeout)
                .orElseThrow(
                    () ->
                        new Failure(
                            ExitCode.USAGE,
                            "'" + timeout + "' is no duration",
                            DurationText.FORMS)));
  }
}
