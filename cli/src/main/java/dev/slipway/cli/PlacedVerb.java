package dev.slipway.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A verb about something that lives in an environment. */
abstract class PlacedVerb extends Verb {
  @Option(
      names = {"-e", "--environment"},
      paramLabel = "NAME",
      description = "In which environment (SLIPWAY_ENVIRONMENT, else 'default').")
  @Nullable String environment;

  @Override
  @Nullable String environmentFlag() {
    return environment;
  }
}
