package dev.slipway.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Decides about a pending approval; without one lists them. */
abstract class DecisionVerb extends Verb {
  @Parameters(paramLabel = "ID", arity = "0..1")
  @Nullable String id;

  @Option(
      names = {"-m", "--comment"},
      paramLabel = "TEXT")
  String comment = "";

  /** The last segment of the call: {@code approve} or {@code reject}. */
  abstract String decision();

  @Override
  public Integer call() throws Exception {
    if (id == null) {
      show(
          new PendingApprovals(api()).list(),
          PendingApprovals.table(),
          "id",
          "Nothing waits for an approval.");
      return ExitCode.OK.code();
    }
    Map<String, Object> reply =
        api().post(path("approvals", id, decision()), Map.of(), Map.of("comment", comment));
    err.println("Approval " + id + " is " + reply.getOrDefault("state", "recorded") + ".");
    return ExitCode.OK.code();
  }
}
