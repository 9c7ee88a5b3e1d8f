package dev.slipway.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Turns a pending approval down. */
@Command(
    name = "reject",
    description = "Turns a pending approval down. Without ID: lists what is pending.")
final class RejectVerb extends Verb {
  @Parameters(paramLabel = "ID", arity = "0..1")
  String id;

  @Option(
      names = {"-m", "--comment"},
      paramLabel = "TEXT")
  String comment = "";

  @Override
  public Integer call() throws Exception {
    if (id == null) {
      show(
          PendingApprovals.list(api()),
          PendingApprovals.table(),
          "id",
          "Nothing waits for an approval.");
      return ExitCode.OK.code();
    }
    Map<String, Object> reply =
        api().post(path("approvals", id, "reject"), Map.of(), Map.of("comment", comment));
    err.println("Approval " + id + " is " + reply.getOrDefault("state", "recorded") + ".");
    return ExitCode.OK.code();
  }
}
