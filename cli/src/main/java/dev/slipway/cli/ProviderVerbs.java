package dev.slipway.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Providers. */
@Command(
    name = "provider",
    description = "Makes, checks and tests providers; shows and reloads those of the server.",
    subcommands = {
      ProviderVerbs.ListAll.class,
      ProviderShowVerb.class,
      ProviderVerbs.Conflicts.class,
      ProviderVerbs.Reload.class,
      ProviderVerbs.Refresh.class,
      ProviderInitVerb.class,
      ProviderValidateVerb.class,
      ProviderTestVerb.class
    })
final class ProviderVerbs extends Group {

  /** A verb that also says what is wrong with providers. */
  private abstract static class Telling extends Verb {
    void sayProblems(Map<String, Object> reply) {
      for (Map<String, Object> problem : Api.items(reply.get("problems"))) {
        err.println(problem.get("provider") + " is " + problem.get("standing") + ":");
        Api.items(problem.get("diagnostics"))
            .forEach(d -> err.println("  " + ApiProblem.diagnostic(d)));
      }
    }
  }

  @Command(name = "list", description = "Lists providers.")
  static final class ListAll extends Verb {
    @Override
    public Integer call() throws Exception {
      show(
          api().list("/api/providers", Map.of(), 1000),
          new Table()
              .column("NAME", "name")
              .column("VERSION", "version")
              .column("CATEGORY", "category")
              .column("STATUS", "status")
              .column("TYPES", r -> Table.text(r.get("resourceTypes")))
              .wide("SOURCE", "source"),
          "name",
          "No providers.");
      if (!"0".equals(String.valueOf(api().get("/api/providers/stats").get("problems")))) {
        err.println("Not all providers could be loaded. See why: slipway provider conflicts");
      }
      return ExitCode.OK.code();
    }
  }

  @Command(
      name = "conflicts",
      description = "Shows types that several providers claim, and what could not be loaded.")
  static final class Conflicts extends Telling {
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

  @Command(name = "reload", description = "Reads the configuration and all providers again.")
  static final class Reload extends Telling {
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

  @Command(name = "refresh", description = "Fetches one provider again.")
  static final class Refresh extends Verb {
    @Parameters(paramLabel = "NAME")
    String name;

    @Override
    public Integer call() throws Exception {
      show(api().post(path("providers", name, "refresh"), Map.of(), Map.of()), "name");
      return ExitCode.OK.code();
    }
  }
}
