package dev.slipway.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(name = "delete", description = "Deletes an environment.")
final class EnvironmentDeleteVerb extends Verb {
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
