package dev.slipway.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Environments. */
@Command(
    name = "environment",
    description = "Lists, creates, extends and deletes environments.",
    subcommands = {
      EnvironmentVerbs.ListAll.class,
      EnvironmentVerbs.Create.class,
      EnvironmentVerbs.Extend.class,
      EnvironmentVerbs.Delete.class
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

  @Command(name = "create", description = "Creates an environment.")
  static final class Create extends Verb {
    @Parameters(paramLabel = "NAME")
    String name;

    @Option(names = "--type", paramLabel = "TYPE")
    @Nullable String type;

    @Option(
        names = "--ttl",
        paramLabel = "DURATION",
        description = "Removed after this long, with everything in it.")
    @Nullable String ttl;

    @Option(
        names = "--team",
        paramLabel = "TEAM",
        description = "The team that it belongs to; needed by members of several.")
    String team;

    @Option(names = "--protected", description = "Every deployment needs an approval.")
    boolean guarded;

    @Override
    public Integer call() throws Exception {
      Map<String, Object> body = new LinkedHashMap<>();
      body.put("name", name);
      if (type != null) {
        body.put("type", type);
      }
      if (ttl != null) {
        body.put("ttl", ttl);
      }
      if (guarded) {
        body.put("protected", true);
      }
      show(api().post("/api/environments", Api.query("team", team), body), "name");
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

  @Command(name = "delete", description = "Deletes an environment.")
  static final class Delete extends Verb {
    @Parameters(paramLabel = "NAME")
    String name;

    @Option(names = "--cascade", description = "With all applications in it.")
    boolean cascade;

    @Mixin Consent consent;

    @Override
    public Integer call() throws Exception {
      consent.to("Delete environment " + name + (cascade ? " and everything in it?" : "?"));
      api()
          .delete(
              path("environments", name),
              Api.query("cascade", cascade ? true : null, "confirm", cascade ? name : null));
      err.println("Environment " + name + (cascade ? " is being deleted." : " deleted."));
      return ExitCode.OK.code();
    }
  }
}
