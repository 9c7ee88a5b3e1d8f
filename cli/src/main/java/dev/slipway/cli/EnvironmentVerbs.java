package dev.slipway.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Environments. */
@Command(
    name = "environment",
    description = "Lists, creates, extends and deletes environments.",
    subcommands = {
      EnvironmentVerbs.ListAll.class,
      EnvironmentCreateVerb.class,
      EnvironmentVerbs.Extend.class,
      EnvironmentDeleteVerb.class
    })
final class EnvironmentVerbs extends Group {

  @Command(name = "list", description = "Lists environments.")
  static final class ListAll extends Verb {
    @Override
    public Integer call() throws Exception {
      show(
          api().list("/api/environments", Map.of(), 1000),
          new Table()
              .column("NAME", "name")
              .column("TEAM", r -> String.valueOf(r.getOrDefault("team", "(shared)")))
              .column("TYPE", "type")
              .column("PROTECTED", "protected")
              .column("EXPIRES IN", r -> Since.until(r.get("expiresAt")))
              .column("AGE", r -> Since.age(r.get("createdAt"))),
          "name",
          "No environments.");
      return ExitCode.OK.code();
    }
  }

  @Command(name = "extend", description = "Gives an environment more time.")
  static final class Extend extends Verb {
    @Parameters(paramLabel = "NAME")
    String name;

    @Option(names = "--ttl", paramLabel = "DURATION", required = true, description = "From now on.")
    String ttl;

    @Override
    public Integer call() throws Exception {
      show(api().patch(path("environments", name), Map.of("ttl", ttl)), "name");
      return ExitCode.OK.code();
    }
  }
}
