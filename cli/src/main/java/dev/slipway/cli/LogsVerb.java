package dev.slipway.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints what steps wrote. */
@Command(
    name = "logs",
    description = "Prints the logs of a run, or of the newest run of each resource of APP.")
final class LogsVerb extends PlacedVerb {
  @Parameters(paramLabel = "APP|RUN")
  String subject;

  @Option(names = "--step", paramLabel = "NAME", description = "Only this step.")
  String step;

  @Option(
      names = {"-f", "--follow"},
      description = "Go on until the run has ended.")
  boolean follow;

  @Override
  public Integer call() throws Exception {
    if (subject.matches("[0-9a-f]{8}-[0-9a-f-]{27}")) {
      run(subject, "");
      return ExitCode.OK.code();
    }
    Map<String, Object> application =
        api().get(path("applications", subject), Api.query("environment", environment()));
    for (Map<String, Object> resource : Api.items(application.get("resources"))) {
      if (resource.get("runId") != null) {
        run(String.valueOf(resource.get("runId")), resource.get("name") + "/");
      }
    }
    return ExitCode.OK.code();
  }

  private void run(String id, String prefix) throws InterruptedException {
    Map<String, Object> run = api().get(path("workflows", id));
    List<Map<String, Object>> steps = Api.items(run.get("steps"));
    for (Map<String, Object> one : steps) {
      String name = String.valueOf(one.get("name"));
      if (step == null || step.equals(name)) {
        new LogLines(api(), out, screen()).print(id, name, prefix + name, follow);
      }
    }
  }
}
