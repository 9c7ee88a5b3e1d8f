package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.workflow.RenderedScript;
import dev.slipway.steps.job.JobEnd;
import dev.slipway.steps.job.JobEnd.ResultFile;
import dev.slipway.steps.job.JobEnvironment;
import dev.slipway.steps.job.JobProgram;
import dev.slipway.steps.job.StepJobs;
import dev.slipway.steps.process.ScriptDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A playbook that runs as a Job. */
final class AnsibleJob implements StepJobs.Work {
  private static final String REPORT = "report.json";

  private final StepCall call;
  private final AnsibleErrorWatch watch;

  AnsibleJob(StepCall call) {
    this.call = call;
    this.watch = new AnsibleErrorWatch(JobProgram.PROVIDER);
  }

  @Override
  public JobProgram program() throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("stdin", "");
    AnsibleCommand command = new AnsibleCommand(new InPod(call, files), call);
    List<String> line = command.line();
    Map<String, String> env =
        command.environment(
            JobEnvironment.of(call, new RenderedScript("", Map.of()), REPORT),
            JobProgram.WORK + "/" + REPORT);
    // Ansible passes over a configuration in a directory that all may write, as volumes are.
    if (Files.exists(ScriptDirectory.providerRoot(call, "playbook").resolve("ansible.cfg"))) {
      env.putIfAbsent("ANSIBLE_CONFIG", JobProgram.PROVIDER + "/ansible.cfg");
    }
    return new JobProgram(line, JobProgram.PROVIDER, env, files, REPORT);
  }

  /** Files in the pod. */
  private record InPod(StepCall call, Map<String, String> files) implements AnsibleFiles {
    @Override
    public String file(String name, String text) {
      files.put(name, text);
      return JobProgram.WORK + "/" + name;
    }

    @Override
    public String ofProvider(String field, String asked) throws IOException {
      ScriptDirectory.ofProvider(call, field, asked);
      return JobProgram.PROVIDER + "/" + Path.of(asked).normalize();
    }
  }

  @Override
  public void heard(StepLog.Stream stream, String line) {
    watch.heard(stream, line);
  }

  @Override
  public Result result(JobEnd.Exited exited) throws IOException {
    return switch (exited.result()) {
      case ResultFile.Unreadable(String why) ->
          Result.failed(
              "invalid-output",
              "the report of the playbook " + why,
              "What set_stats leaves has to be small; look at the step's log.");
      case ResultFile.Text(var text) ->
          AnsibleExecutor.exited(
              call, exited.exit(), AnsibleReport.of(text.orElse("")), watch.said());
    };
  }
}
