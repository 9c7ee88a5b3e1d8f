package dev.slipway.steps.process;

/** How a program ended, with the tail of its standard output. */
public sealed interface Ending {
  /** By itself. */
  record Exited(int code, String stdout, String lastErrorLine) implements Ending {}

  /** It took too long and was stopped. */
  record TimedOut(String lastErrorLine) implements Ending {}

  /** It wrote more than anybody can want and was stopped. */
  record Flooded(long bytes) implements Ending {}

  /** It could not be started. */
  record NotStarted(String reason) implements Ending {}
}
