package dev.slipway.cli;

import picocli.CommandLine.Command;

/** Who the server takes the caller for. */
@Command(name = "whoami", description = "Shows who you are to the server.")
final class WhoamiVerb extends Verb {
  @Override
  public Integer call() throws Exception {
    show(api().get("/api/auth/whoami"), "user");
    return ExitCode.OK.code();
  }
}
