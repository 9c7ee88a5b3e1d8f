package dev.slipway.cli;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Narrows a list to one application. */
final class ApplicationFilter {
  @Option(
      names = "--application",
      paramLabel = "NAME",
      description = "Only of this application; --app is the old spelling.")
  @Nullable String application;

  @Option(names = "--app", hidden = true)
  @Nullable String app;

  /** The application; null for all. */
  @Nullable String name() {
    if (application != null && app != null && !application.equals(app)) {
      throw new Failure(
          ExitCode.USAGE,
          "--app is the old spelling of --application, and they differ: "
              + app
              + " and "
              + application,
          "Give --application alone.");
    }
    return application != null ? application : app;
  }
}
