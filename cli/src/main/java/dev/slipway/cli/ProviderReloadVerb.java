package dev.slipway.cli;

import java.util.Map;
import picocli.CommandLine.Command;

@Command(name = "reload", description = "Reads the configuration and all providers again.")
final class ProviderReloadVerb extends ProblemsVerb {
  @Override
  public Integer call() throws Exception {
    Map<String, Object> reply = api().post("/api/admin/reload", Map.of(), Map.of());
    if (root().output != null) {
      show(reply, "status");
      return ExitCode.OK.code();
    }
    int conflicts = Api.items(reply.get("conflicts")).size();
    out.println(
        "Reloaded: %d in service, %d with problems, %d conflicts."
            .formatted(
                Api.items(reply.get("providers")).size(),
                Api.items(reply.get("problems")).size(),
                conflicts));
    Api.items(reply.get("warnings")).forEach(w -> err.println(ApiProblem.diagnostic(w)));
    sayProblems(reply);
    if (conflicts > 0) {
      err.println("See who claims the same: slipway provider conflicts");
    }
    return ExitCode.OK.code();
  }
}
