package dev.slipway.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

@Command(
    name = "conflicts",
    description = "Shows types that several providers claim, and what could not be loaded.")
final class ProviderConflictsVerb extends ProblemsVerb {
  @Override
  public Integer call() throws Exception {
    Map<String, Object> reply = api().get("/api/admin/providers");
    List<Map<String, Object>> conflicts = Api.items(reply.get("conflicts"));
    show(
        conflicts,
        new Table()
            .column("TYPE", "type")
            .column("PRECEDENCE", "level")
            .column(
                "CLAIMED BY",
                r ->
                    String.join(
                        ", ",
                        Api.items(r.get("claimants")).stream()
                            .map(c -> c.get("provider") + " (" + c.get("position") + ")")
                            .toList())),
        "type",
        "No conflicts.");
    sayProblems(reply);
    return (conflicts.isEmpty() ? ExitCode.OK : ExitCode.FAILED).code();
  }
}
