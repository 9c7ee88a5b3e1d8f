package dev.slipway.steps;

import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.StepLog;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.engine.resolve.ProgramPath;
import dev.slipway.engine.value.Json;
import dev.slipway.engine.workflow.OutputParser;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.StepType.Field;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.StepType.Need;
import dev.slipway.steps.process.Ending;
import dev.slipway.steps.process.Programs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
                  new Field("executor", Kind.TEXT, Need.OPTIONAL, "where it runs: local")
                      .oneOf("local")
                      .not(
                          "kubernetes-job",
                          "it is not supported yet for steps of this type, only for shell")),
              1,
              StepType.Code.RUNS,
              _ -> Set.of(AnsibleCommand.PROGRAM))
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

  private final ProgramSite site;

  /**
   * Playbooks run in private directories below {@code data}, within the limits that are configured
   * when they start.
   */
  public AnsibleExecutor(
      Path data, ProgramPath programs, Supplier<ProcessLimits> limits, InstantSource clock) {
    this.site = new ProgramSite(data, programs, limits, clock);
  }

  @Override
  public StepType type() {
    return TYPE;
  }

  @Override
  public Result execute(StepCall call) throws InterruptedException {
    if (call.origin() == StepCall.Origin.RECOVERED) {
      Programs.endLeftovers(call.key(), call.lease());
      call.log().line(StepLog.Stream.NOTE, "runs again: the server stopped in the middle of it");
    }
    return site.work(
        call,
        "playbook",
        directory -> {
          AnsibleCommand command = new AnsibleCommand(directory, call, site.programs());
          AnsibleErrorWatch log = new AnsibleErrorWatch(call);
          Ending ending = site.run(call, command.program(site.left(call)), directory, log);
          return result(call, ending, command, log);
        });
  }

  @Override
  public void stop(StepCall call) throws InterruptedException {
    Programs.endLeftovers(call.key(), call.lease());
  }

  private static Result result(
      StepCall call, Ending ending, AnsibleCommand command, AnsibleErrorWatch log)
      throws IOException {
    return switch (ending) {
      case Ending.Exited exited -> exited(call, exited, command.report(), log);
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

  private static Result exited(
      StepCall call, Ending.Exited exited, AnsibleReport report, AnsibleErrorWatch log) {
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
                        AnsibleCommand.PROGRAM + " ended with code " + exited.code() + log.said(),
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
