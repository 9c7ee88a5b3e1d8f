package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor.Result;
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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A script that runs as a Job. */
record ShellJob(StepCall call) implements StepJobs.Work {
  @Override
  public JobProgram program() throws IOException {
    RenderedScript script = ShellExecutor.script(call);
    ShellExecutor.accepted(call); // what is written wrong fails before anything runs
    if (script.text().indexOf('\0') >= 0) {
      throw new IllegalArgumentException("the script has a NUL character, which no shell reads");
    }
    String text = script.text().replace("\r\n", "\n");
    List<String> command =
        new ArrayList<>(
            ScriptPrograms.interpreter((String) call.config().get("interpreter"), text));
    command.add(JobProgram.WORK + "/script");
    Map<String, String> files = new LinkedHashMap<>();
    files.put("script", text);
    files.put("stdin", ShellExecutor.text(call.config().get("stdin")));
    return new JobProgram(
        command, directory(), JobEnvironment.of(call, script, resultFile()), files, resultFile());
  }

  private String directory() throws IOException {
    String asked = ShellExecutor.text(call.config().get("workingDir"));
    if (asked.isBlank()) {
      return JobProgram.WORK;
    }
    Path wanted = ScriptDirectory.ofProvider(call, "workingDir", asked);
    if (!Files.isDirectory(wanted)) {
      throw new IllegalArgumentException(
          "workingDir '" + asked + "' is no directory of the provider");
    }
    return JobProgram.PROVIDER + "/" + asked;
  }

  private String resultFile() {
    String name = call.step().outputFile();
    Path file = Path.of(name == null ? "output" : name).normalize();
    if (file.isAbsolute() || file.startsWith("..") || file.toString().isEmpty()) {
      throw new IllegalArgumentException(
          ScriptDirectory.called(call) + " leads out of the step's directory");
    }
    return file.toString();
  }

  @Override
  public Result result(JobEnd.Exited exited) throws IOException {
    return ShellExecutor.exited(
        call, exited.exit(), stdout -> outputs(stdout, exited.result()), "the image's PATH");
  }

  private Map<String, Object> outputs(String stdout, ResultFile file) {
    return switch (file) {
      case ResultFile.Unreadable(String why) ->
          throw new ScriptDirectory.OutputFileException(ScriptDirectory.called(call) + " " + why);
      case ResultFile.Text(var text) -> ScriptDirectory.outputs(call, stdout, text.orElse(null));
    };
  }
}
