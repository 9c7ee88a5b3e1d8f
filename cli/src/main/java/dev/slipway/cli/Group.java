package dev.slipway.cli;

/** A verb that only groups other verbs: on its own it prints them. */
abstract class Group extends Verb {
  @Override
  public Integer call() {
    spec.commandLine().usage(err);
    return ExitCode.USAGE.code();
  }
}
