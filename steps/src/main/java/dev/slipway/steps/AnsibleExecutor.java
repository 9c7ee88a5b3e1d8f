package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.workflow.OutputParser;
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

/**
 * Runs a playbook of the provider with {@code ansible-playbook}. The log shows its usual output;
 * the recap comes from a callback plugin that Slipway adds. A playbook is idempotent, so an attempt
 * that a crash interrupted is run again under the same key.
 */
public final class AnsibleExecutor implements StepExecutor {
  static final StepType TYPE =
      new StepType(
              "ansible",
              Set.of(),
              List.of(
                  new Field(
                      "playbook",
                      Kind.TEXT,
                      Need.REQUIRED,
                      "its file, below the provider's directory"),
                  new Field(
                      "inventory",
                      Kind.VALUE,
                      Need.OPTIONAL,
                      "a file or directory of the provider, a list of hosts, or a map as in a YAML"
                          + " inventory; the server's own machine when left out"),
                  new Field(
                      "variables",
                      Kind.MAP,
                      Need.OPTIONAL,
                      "extra variables with their types; every text is tagged unsafe: data, no template"),
                  new Field("limit", Kind.TEXT, Need.OPTIONAL, "a pattern of hosts to keep to"),
                  new Field(
                      "tags", Kind.VALUE, Need.OPTIONAL, "run only what has one of these tags"),
                  new Field("check", Kind.BOOLEAN, Need.OPTIONAL, "tell what would change; false"),
                  JobFields.EXECUTOR,
                  JobFields.CLUSTER),
              1,
              StepType.Code.RUNS,
              AnsibleExecutor::programs)
          .documented(
              "Runs a playbook of the provider with `ansible-playbook`. Variables travel in a file"
                  + " that only the server can read and are data: what looks like a template in"
                  + " them is text. The environment is that of a shell step. An `ansible.cfg`,"
                  + " `group_vars` and `roles` beside the playbook are used.",
              "A failed host fails the step and is named with its task and message; hosts that are"
                  + " only unreachable are a transient failure. After a crash the playbook runs"
                  + " again with the same `SLIPWAY_IDEMPOTENCY_KEY`, so it should be idempotent.")
          .giving("(any)", "what `set_stats` left")
          .giving(
              "stats",
              "by host: ok, changed, unreachable, failed, skipped, rescued, ignored, as in the"
                  + " recap")
          .giving("changed", "whether any host was changed")
          .giving("per_host", "by host: what `set_stats` left with `per_host: true`");

  private static final String REPORT = "report.json";

  private final ProgramSite site;
  private final Optional<StepJobs> jobs;

  /**
   * Playbooks run in private directories below {@code data}, within the limits that are configured
   * when they start.
   */
  public AnsibleExecutor(
      Path data, ProgramPath programs, Supplier<ProcessLimits> limits, InstantSource clock) {
    this(new ProgramSite(data, programs, limits, clock), Optional.empty());
  }

  private AnsibleExecutor(ProgramSite site, Optional<StepJobs> jobs) {
    this.site = site;
    this.jobs = jobs;
  }

  /** The same, which can also run playbooks as Jobs. */
  public AnsibleExecutor with(StepJobs other) {
    return new AnsibleExecutor(site, Optional.of(other));
  }

  private static Set<String> programs(Map<String, Object> config) {
    return StepJobs.EXECUTOR.equals(config.get("executor"))
        ? Set.of() // that of an image
        : Set.of(AnsibleCommand.PROGRAM);
  }

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) throws InterruptedException {
    if (StepJobs.asked(call)) {
      return jobs.isPresent() ? jobs.get().run(call, new AnsibleJob(call)) : JobFields.without();
    }
    if (call.origin() == StepCall.Origin.RECOVERED) {
      Programs.endLeftovers(call.key(), call.lease());
      call.log().line(StepLog.Stream.NOTE, "runs again: the server stopped in the middle of it");
    }
    return site.work(call, "playbook", directory -> run(call, directory));
  }

  private Result run(StepCall call, ScriptDirectory directory)
      throws IOException, InterruptedException {
    AnsibleCommand command = new AnsibleCommand(new Local(directory), call);
    Path report = directory.path().resolve(REPORT);
    Map<String, String> own =
        directory.environment(new RenderedScript("", Map.of()), site.programs());
    Program program =
        new Program(
            command.line(),
            directory.providerRoot("playbook"),
            command.environment(own, report.toString()),
            directory.stdin(""),
            site.left(call),
            call.key());
    AnsibleErrorWatch watch = new AnsibleErrorWatch(call.scope().providerDirectory());
    StepLog log =
        (stream, line) -> {
          watch.heard(stream, line);
          call.log().line(stream, line);
        };
    return result(call, site.run(call, program, directory, log), report, watch.said());
  }

  /** Files on the server. */
  private record Local(ScriptDirectory directory) implements AnsibleFiles {
    @Override
    public String file(String name, String text) throws IOException {
      return directory.file(name, text).toString();
    }

    @Override
    public String ofProvider(String field, String asked) throws IOException {
      return directory.ofProvider(field, asked).toString();
    }
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

  private static Result result(StepCall call, Ending ending, Path report, String said)
      throws IOException {
    return switch (ending) {
      case Ending.Exited exited -> exited(call, exited, AnsibleReport.read(report), said);
      case Ending.TimedOut _ ->
          Result.failed(
              "timeout",
              "stopped after its timeout",
              "Raise the step's timeout, or look at its log for the task that took so long.");
      case Ending.Exceeded excess -> new Result.Failed(excess.error(), Map.of());
      case Ending.NotStarted not ->
          Result.failed(
              "playbook-not-started", not.reason(), "Is Ansible installed on the server?");
    };
  }

  /** The result of a playbook; {@code said} is its first error that is not of a host. */
  static Result exited(StepCall call, Ending.Exited exited, AnsibleReport report, String said) {
    Map<String, Object> outputs = outputs(call, exited, report);
    if (exited.code() == 0) {
      if (report.hosts().isEmpty()) {
        call.log().line(StepLog.Stream.NOTE, "no host matched: nothing was done");
      }
      return new Result.Succeeded(outputs, Set.of());
    }
    StepError error =
        report
            .failure()
            .orElseGet(
                () ->
                    StepError.permanent(
                        "playbook-error",
                        AnsibleCommand.PROGRAM + " ended with code " + exited.code() + said,
                        "The step's log has the whole message."));
    return new Result.Failed(error, outputs);
  }

  /** The data of set_stats, filtered by the step's outputs, then the recap under its own names. */
  private static Map<String, Object> outputs(
      StepCall call, Ending.Exited exited, AnsibleReport report) {
    String stdout = call.step().capture().isEmpty() ? "" : exited.stdout();
    Map<String, Object> recap = report.recap();
    Map<String, Object> outputs =
        new LinkedHashMap<>(
            OutputParser.parse(
                call.step(),
                new OutputParser.Material(stdout, Json.write(report.data()), null, recap)));
    outputs.putAll(recap);
    return outputs;
  }
}
