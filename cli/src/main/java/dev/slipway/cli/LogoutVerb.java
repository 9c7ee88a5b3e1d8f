package dev.slipway.cli;

import picocli.CommandLine.Command;

/** Forgets the kept token. */
@Command(name = "logout", description = "Forgets the kept token.")
final class LogoutVerb extends Verb {
  @Override
  public Integer call() throws Exception {
    LoginVerb.keep(settings().server(), null);
    err.println("Logged out of " + settings().server() + ".");
    return ExitCode.OK.code();
  }
}
