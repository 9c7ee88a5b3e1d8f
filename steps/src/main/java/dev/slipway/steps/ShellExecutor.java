package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.workflow.RenderedScript;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import dev.slipway.steps.job.StepJobs;
import dev.slipway.steps.process.Ending;
import dev.slipway.steps.process.Program;
import dev.slipway.steps.process.Programs;
import dev.slipway.steps.process.ScriptDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a script. Values are passed only through its environment, which holds nothing of the
 * server's. A repeated attempt after a crash first kills processes that the interrupted one left
 * running.
 */
public final class ShellExecutor implements StepExecutor {
  static final StepType TYPE =
      new StepType(
              "shell",
              Set.of("policy", "script"),
              List.of(
                  new Field("script", Kind.SCRIPT, Need.OPTIONAL, "the script"),
                  new Field("command", Kind.SCRIPT, Need.OPTIONAL, "the same, by its other name"),
                  new Field("interpreter", Kind.TEXT, Need.OPTIONAL, "the shebang's, else bash"),
                  new Field("env", Kind.MAP, Need.OPTIONAL, "more environment variables"),
                  new Field("stdin", Kind.TEXT, Need.OPTIONAL, "text for standard input"),
                  new Field(
                      "workingDir", Kind.TEXT, Need.OPTIONAL, "below the provider's directory"),
                  new Field(
                      "successCodes", Kind.LIST, Need.OPTIONAL, "exit codes that are no failure"),
                  JobFields.EXECUTOR,
                  JobFields.CLUSTER),
              1,
              StepType.Code.RUNS,
              ScriptPrograms::of)
          .exactlyOne("script", "command")
          .documented(
              "Runs a script in a private directory. Values reach it through its environment only,"
                  + " which holds PATH, HOME, TMPDIR, LANG, SLIPWAY_*, APP_NAME (old spelling of SLIPWAY_APPLICATION), the step's `env`"
                  + " and what was granted, and nothing of the server's.",
              "An exit code that is not in `successCodes` fails the step; 77 fails it with"
                  + " `not-ours`, for things that were not made for the resource, 76 with `missing`, for a"
                  + " look at what is gone. At the timeout and on"
                  + " cancel the whole process group gets TERM, and KILL ten seconds later. After a"
                  + " crash what the interrupted attempt left running is ended before the script"
                  + " starts again, so a script should be able to run twice."
                  + " As a Job (`executor: kubernetes-job`) it is never started twice: a server"
                  + " that comes back goes on with the Job that there is.")
          .giving("exit_code", "the exit code")
          .giving(
              "(any)",
              "`OUTPUT_k=v` and `::set-output name=k::v` lines, then the last JSON object on"
                  + " standard output, then `outputFile` or `$SLIPWAY_OUTPUT` (JSON or k=v), then"
                  + " `capture`; later ones win");

  private static final String EXPECTED =
      "A script writes its outputs as one JSON object, or as lines of name=value.";

  private final ProgramSite site;
  private final Optional<StepJobs> jobs;

  /**
   * Scripts run below {@code data}: in private directories, and one persistent directory per
   * provider. {@code programs} is their search path; {@code limits} gives the limits in force when
   * they start.
   */
  public ShellExecutor(
      Path data, ProgramPath programs, Supplier<ProcessLimits> limits, InstantSource clock) {
    this(new ProgramSite(data, programs, limits, clock), Optional.empty());
  }

  private ShellExecutor(ProgramSite site, Optional<StepJobs> jobs) {
    this.site = site;
    this.jobs = jobs;
  }

  /** The same, which can also run scripts as Jobs. */
  public ShellExecutor with(StepJobs other) {
    return new ShellExecutor(site, Optional.of(other));
  }

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) throws InterruptedException {
    if (StepJobs.asked(call)) {
      return jobs.isPresent() ? jobs.get().run(call, new ShellJob(call)) : JobFields.without();
    }
    if (call.origin() == StepCall.Origin.RECOVERED) {
      int ended = Programs.endLeftovers(call.key(), call.lease());
      if (ended > 0) {
        call.log()
            .line(StepLog.Stream.NOTE, "ended " + ended + " processes of the interrupted attempt");
      }
    }
    return site.work(call, "script", directory -> run(call, directory));
  }

  private Result run(StepCall call, ScriptDirectory directory)
      throws IOException, InterruptedException {
    RenderedScript script = script(call);
    accepted(call); // what is written wrong fails before anything runs
    String interpreter = (String) call.config().get("interpreter");
    Program program =
        new Program(
            directory.command(script.text(), text -> ScriptPrograms.interpreter(interpreter, text)),
            directory.workingDirectory((String) call.config().get("workingDir")),
            directory.environment(script, site.programs()),
            directory.stdin(text(call.config().get("stdin"))),
            site.left(call),
            call.key());
    return result(call, directory, site.run(call, program, directory, call.log()));
  }

  @Override
  public void stop(StepCall call) throws InterruptedException {
    if (StepJobs.asked(call)) {
      if (jobs.isPresent()) {
        jobs.get().stop(call);
      }
      return;
    }
    Programs.endLeftovers(call.key(), call.lease());
  }

  private static Result result(StepCall call, ScriptDirectory directory, Ending ending)
      throws IOException {
    return switch (ending) {
      case Ending.Exited exited ->
          exited(call, exited, stdout -> directory.outputs(call, stdout), "the server's PATH");
      case Ending.TimedOut late ->
          Result.failed(
              "timeout",
              "stopped after its timeout" + said(late.lastErrorLine()),
              "Raise the step's timeout, or look at its log for what it waited for.");
      case Ending.Exceeded excess -> new Result.Failed(excess.error(), Map.of());
      case Ending.NotStarted not ->
          Result.failed(
              "script-not-started", not.reason(), "Is the interpreter installed on the server?");
    };
  }

  /** Finds a script's outputs in its standard output and its output file. */
  interface Outputs {
    Map<String, Object> in(String stdout) throws IOException;
  }

  /** The result of a script; {@code path} is where it looked for programs. */
  static Result exited(StepCall call, Ending.Exited exited, Outputs left, String path)
      throws IOException {
    boolean good = accepted(call).contains((long) exited.code());
    Map<String, Object> outputs = new LinkedHashMap<>();
    try {
      outputs.putAll(left.in(exited.stdout()));
    } catch (ScriptDirectory.OutputFileException e) {
      if (good) {
        return Result.failed("invalid-output", String.valueOf(e.getMessage()), EXPECTED);
      }
    }
    outputs.put("exit_code", (long) exited.code());
    return good
        ? new Result.Succeeded(outputs, Set.of())
        : new Result.Failed(
            ProgramExit.error(exited.code(), said(exited.lastErrorLine()), path), outputs);
  }

  static List<Long> accepted(StepCall call) {
    return call.config().get("successCodes") instanceof List<?> codes
        ? codes.stream().map(ShellExecutor::code).toList()
        : List.of(0L);
  }

  private static Long code(Object written) {
    String text = String.valueOf(written);
    if (!text.matches("\\d{1,3}")) {
      throw new IllegalArgumentException(
          "'" + text + "' in successCodes is no exit code; those are numbers from 0 to 255");
    }
    return Long.valueOf(text);
  }

  private static String said(String line) {
    String text = line.strip();
    return text.isEmpty() ? "" : ": " + (text.length() > 500 ? text.substring(0, 500) + "…" : text);
  }

  static RenderedScript script(StepCall call) {
    Object script = call.config().get("script");
    Object command = call.config().get("command");
    if ((script == null) == (command == null)) {
      throw new IllegalArgumentException("exactly one of script and command must be given");
    }
    return (RenderedScript) (script == null ? command : script);
  }

  static String text(@Nullable Object value) {
    return value == null ? "" : String.valueOf(value);
  }
}
