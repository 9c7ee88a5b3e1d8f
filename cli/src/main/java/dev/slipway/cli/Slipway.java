package dev.slipway.cli;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The root: options that every verb takes, and the verbs. */
@Command(
    name = "slipway",
    description = "From what a team asks for to something that runs.",
    mixinStandardHelpOptions = true,
    versionProvider = Slipway.Build.class,
    sortOptions = false,
    footer = {
      "",
      "Start here:  slipway demo            an example, deployed on this machine",
      "             slipway up              the server (embedded PostgreSQL when no database is"
          + " given)",
      "             slipway deploy FILE     a Score file of yours",
    })
final class Slipway implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(
      names = "--server",
      paramLabel = "URL",
      scope = ScopeType.INHERIT,
      description = "Where the server is (SLIPWAY_SERVER).")
  @Nullable String server;

  @Option(
      names = "--token",
      paramLabel = "TOKEN",
      scope = ScopeType.INHERIT,
      description = "Who asks (SLIPWAY_TOKEN).")
  @Nullable String token;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      scope = ScopeType.INHERIT,
      description = "table, wide, json, yaml or name.")
  @Nullable String output;

  @Option(names = "--no-color", scope = ScopeType.INHERIT, description = "No colours (NO_COLOR).")
  boolean noColour;

  @Option(
      names = "--train",
      hidden = true,
      description = "Loads what verbs need, for the start-up cache.")
  boolean train;

  private @Nullable Api api;

  @Override
  public Integer call() throws Exception {
    if (train) {
      return Training.run();
    }
    spec.commandLine().usage(spec.commandLine().getOut());
    return ExitCode.OK.code();
  }

  /** The server that this call talks to. */
  Api api(ClientSettings settings) {
    if (api == null) {
      api = new Api(settings);
    }
    return api;
  }

  private boolean warned;

  void close() {
    if (api != null) {
      api.close();
    }
  }

  /** Settings of this call. */
  ClientSettings settings(@Nullable String environment) {
    Map<String, String> flags = new LinkedHashMap<>();
    flags.put(ClientSettings.SERVER, server);
    flags.put(ClientSettings.TOKEN, token);
    flags.put(ClientSettings.ENVIRONMENT, environment);
    flags.values().removeIf(java.util.Objects::isNull);
    warnOfProjectFile();
    return ClientSettings.resolve(flags, System.getenv(), Path.of(""));
  }

  private void warnOfProjectFile() {
    if (!warned) {
      warned = true;
      ClientSettings.ignored(Path.of("")).forEach(line -> System.err.println("warning: " + line));
    }
  }

  static final class Build implements picocli.CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"slipway " + Version.text()};
    }
  }
}
