package dev.slipway.steps.terraform;

import dev.slipway.steps.process.Ending;
import java.util.List;

/** What the end of a command of terraform or tofu means. */
final class CommandEnd {
  private CommandEnd() {}

  static int code(Ending ending) {
    return switch (ending) {
      case Ending.Exited exited -> exited.code();
      case Ending.TimedOut _ ->
          throw TerraformFailure.permanent(
              "timeout",
              "stopped after its timeout; what was made until then is in the state",
              "Raise the step's timeout, or look at its log for what it waited for.");
      case Ending.Exceeded excess -> throw new TerraformFailure(excess.error());
      case Ending.NotStarted not ->
          throw TerraformFailure.permanent("program-not-started", not.reason(), null);
    };
  }

  static TerraformFailure failed(String name, List<Finding> findings, Ending ending) {
    List<Finding> errors = findings.stream().filter(Finding::isError).toList();
    if (errors.isEmpty()) {
      String said = ending instanceof Ending.Exited exited ? exited.lastErrorLine().strip() : "";
      return TerraformFailure.permanent(
          "terraform-error", name + " failed" + (said.isEmpty() ? "" : ": " + said), null);
    }
    Finding finding =
        errors.stream().filter(e -> e.place() != null).findFirst().orElse(errors.getFirst());
    String more = errors.size() > 1 ? " (and " + (errors.size() - 1) + " more, see the log)" : "";
    String first = finding.sentence();
    return TerraformFailure.permanent(
        "terraform-error",
        (first.length() > 1_000 ? first.substring(0, 1_000) + "…" : first) + more,
        name + " said so.");
  }
}
