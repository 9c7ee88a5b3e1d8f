package dev.slipway.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Teams. */
@Command(
    name = "team",
    description = "Lists and creates teams.",
    subcommands = {TeamVerbs.ListAll.class, TeamVerbs.Create.class})
final class TeamVerbs extends Group {

  @Command(name = "list", description = "Lists teams.")
  static final class ListAll extends Verb {
    @Override
    public Integer call() throws Exception {
      show(
          api().list("/api/teams", Map.of(), 1000),
          new Table().column("NAME", "name").column("DESCRIPTION", "description"),
          "name",
          "No teams.");
      return ExitCode.OK.code();
    }
  }

  @Command(name = "create", description = "Creates a team.")
  static final class Create extends Verb {
    @Parameters(paramLabel = "NAME")
    String name;

    @Option(names = "--description", paramLabel = "TEXT")
    String description = "";

    @Override
    public Integer call() throws Exception {
      show(
          api().post("/api/teams", Map.of(), Map.of("name", name, "description", description)),
          "name");
      return ExitCode.OK.code();
    }
  }
}
