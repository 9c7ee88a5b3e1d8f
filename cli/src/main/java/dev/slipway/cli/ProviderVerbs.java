package dev.slipway.cli;

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
      ProviderConflictsVerb.class,
      ProviderReloadVerb.class,
      ProviderVerbs.Refresh.class,
      ProviderInitVerb.class,
      ProviderValidateVerb.class,
      ProviderTestVerb.class
    })
final class ProviderVerbs extends Group {

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
