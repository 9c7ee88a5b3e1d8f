package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import dev.slipway.engine.value.Values;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
  @Nullable String step;

  @Option(
      names = {"-f", "--follow"},
      description = "Go on until the run has ended.")
  boolean follow;

  @Override
  public Integer call() throws Exception {
    if (subject.matches("[0-9a-f]{8}-[0-9a-f-]{27}")) {
      run(subject, "", step);
      return ExitCode.OK.code();
    }
    Map<String, Object> application =
        api().get(path("applications", subject), Api.query("environment", environment()));
    for (Map<String, Object> resource : Api.items(application.get("resources"))) {
      if (resource.get("runId") != null) {
        run(String.valueOf(resource.get("runId")), resource.get("name") + "/", step);
      }
    }
    return ExitCode.OK.code();
  }

  /** With what the runs say that its steps called, and the one that undid it. */
  private void run(String id, String prefix, @Nullable String only) throws InterruptedException {
    Map<String, Object> run = api().get(path("workflows", id));
    List<Map<String, Object>> steps = Api.items(run.get("steps"));
    for (Map<String, Object> one : steps) {
      String name = String.valueOf(one.get("name"));
      if (only == null || only.equals(name)) {
        print(id, name, prefix + name);
        for (Map<String, Object> child : Api.items(run.get("children"))) {
          if (name.equals(child.get("step"))) {
            run(String.valueOf(child.get("id")), prefix + name + "/", null);
          }
        }
      }
    }
    Object rollback = Values.map(run.get("rollback")).get("runId");
    if (rollback != null && only == null) {
      run(String.valueOf(rollback), prefix + "rollback/", null);
    }
  }

  private void print(String id, String name, String label) throws InterruptedException {
    LogLines.Until until = follow ? LogLines.Until.STEP_ENDED : LogLines.Until.NOW;
    if (format(Format.TABLE) == Format.JSON) {
      new LogLines(api(), line -> out.println(json(id, name, line))).printJson(id, name, until);
    } else {
      String margin = screen().paint(Ink.DIM, label + " | ");
      new LogLines(api(), line -> out.println(margin + line)).print(id, name, until);
    }
  }

  /** One object a line, so that programs can read on while it is still being written. */
  private static String json(String run, String name, String line) {
    Map<String, Object> object = new LinkedHashMap<>();
    object.put("run", run);
    object.put("step", name);
    object.putAll(Json.readMap(line));
    return Json.write(object);
  }
}
