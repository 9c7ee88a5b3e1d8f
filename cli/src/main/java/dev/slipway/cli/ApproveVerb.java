package dev.slipway.cli;

import picocli.CommandLine.Command;

/** Grants a pending approval. */
@Command(
    name = "approve",
    description = "Grants a pending approval. Without ID: lists what is pending.")
final class ApproveVerb extends DecisionVerb {
  @Override
  String decision() {
    return "approve";
  }
}
