package dev.slipway.cli;

import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Golden paths: workflows that people start. */
@Command(
    name = "golden-path",
    description = "Lists, shows and runs golden paths.",
    subcommands = {
      GoldenPathVerbs.ListAll.class,
      GoldenPathVerbs.Show.class,
      GoldenPathRunVerb.class
    })
final class GoldenPathVerbs extends Group {

  @Command(name = "list", description = "Lists golden paths.")
  static final class ListAll extends Verb {
    @Override
    public Integer call() throws Exception {
      show(
          api().list("/api/golden-paths", Map.of(), 1000),
          new Table()
              .column("NAME", "name")
              .column("PROVIDER", "provider")
              .column("CATEGORY", "category")
              .column("TAKES", "estimatedDuration")
              .column(
                  "TEAMS",
                  r ->
                      r.get("allowedTeams") instanceof List<?> t && t.isEmpty()
                          ? "all"
                          : Table.text(r.get("allowedTeams")))
              .column("DESCRIPTION", "description"),
          "name",
          "No golden paths. Providers offer them as workflows with category: goldenpath.");
      return ExitCode.OK.code();
    }
  }

  @Command(name = "show", description = "Shows a golden path with its parameters.")
  static final class Show extends Verb {
    @Parameters(paramLabel = "NAME")
    String name;

    @Override
    public Integer call() throws Exception {
      Map<String, Object> path = api().get(path("golden-paths", name));
      if (root().output == null) {
        text(path);
      } else {
        show(path, "name");
      }
      return ExitCode.OK.code();
    }

    private void text(Map<String, Object> path) {
      out.println(name + "  " + Table.text(path.get("description")));
      out.println("steps  " + Table.text(path.get("steps")));
      List<Map<String, Object>> parameters = Api.items(path.get("parameters"));
      if (!parameters.isEmpty()) {
        ProviderText.parameters().lines(parameters, Format.TABLE, screen()).forEach(out::println);
      }
      StringBuilder command = new StringBuilder(Hints.command() + " golden-path run " + name);
      parameters.stream()
          .filter(p -> Boolean.TRUE.equals(p.get("required")) && p.get("default") == null)
          .forEach(p -> command.append(" --param ").append(p.get("name")).append("=…"));
      err.println("Run it: " + command);
    }
  }
}
