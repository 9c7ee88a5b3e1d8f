package dev.slipway.cli;

import picocli.CommandLine.Command;

/** Health of Kubernetes objects. */
@Command(
    name = "health",
    description = "Judges the health of Kubernetes objects.",
    subcommands = HealthAssessVerb.class)
final class HealthVerbs extends Group {}
