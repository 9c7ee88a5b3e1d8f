package dev.slipway.cli;

/** A word that only groups others: on its own it prints them. */
abstract class Group extends Verb {
  @Override
  public Integer call() {
    spec.commandLine().usage(err);
    return ExitCode.USAGE.code();
  }
}
