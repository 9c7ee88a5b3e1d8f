package dev.slipway.cli;

import picocli.CommandLine.Command;

/** Turns a pending approval down. */
@Command(
    name = "reject",
    description = "Turns a pending approval down. Without ID: lists what is pending.")
final class RejectVerb extends DecisionVerb {
  @Override
  String decision() {
    return "reject";
  }
}
