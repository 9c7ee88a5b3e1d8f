package dev.slipway.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Providers. */
@Command(
    name = "provider",
    description = "Lists, shows, checks and reloads providers.",
    subcommands = {
      ProviderVerbs.ListAll.class,
      ProviderVerbs.Show.class,
      ProviderVerbs.Conflicts.class,
      ProviderVerbs.Reload.class,
      ProviderVerbs.Refresh.class,
      ProviderVerbs.Validate.class
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
      return ExitCode.OK.code();
    }
  }

  @Command(name = "show", description = "Shows one provider.")
  static final class Show extends Verb {
    @Parameters(paramLabel = "NAME")
    String name;

    @Override
    public Integer call() throws Exception {
      show(api().get(path("providers", name)), "name");
      return ExitCode.OK.code();
    }
  }

  @Command(name = "conflicts", description = "Shows types that several providers claim.")
  static final class Conflicts extends Verb {
    @Override
    public Integer call() throws Exception {
      List<Map<String, Object>> conflicts =
          Api.items(api().get("/api/admin/providers").get("conflicts"));
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
      return (conflicts.isEmpty() ? ExitCode.OK : ExitCode.FAILED).code();
    }
  }

  @Command(name = "reload", description = "Reads the configuration and all providers again.")
  static final class Reload extends Verb {
    @Override
    public Integer call() throws Exception {
      show(api().post("/api/admin/reload", Map.of(), Map.of()), "status");
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

  @Command(name = "validate", description = "Checks a provider's directory, offline.")
  static final class Validate extends Verb {
    @Parameters(paramLabel = "DIR")
    java.nio.file.Path directory;

    @Override
    public Integer call() {
      var found = Validation.of(directory);
      found.forEach(d -> out.println(d.text()));
      boolean valid = found.stream().noneMatch(d -> d.isError());
      out.println(directory + ": " + (valid ? "valid" : "invalid"));
      return (valid ? ExitCode.OK : ExitCode.FAILED).code();
    }
  }
}
