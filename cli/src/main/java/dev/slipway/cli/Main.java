package dev.slipway.cli;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code slipway} command, but for {@code up}, which the launcher hands to the server. */
public final class Main {
  private Main() {}

  /** Runs one verb and exits with its code. */
  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  /** Runs one verb. */
  static int run(String... arguments) {
    CommandLine line = line(arguments);
    try {
      return line.execute(arguments);
    } finally {
      ((Slipway) line.getCommandSpec().userObject()).close();
    }
  }

  static CommandLine line(String... arguments) {
    CommandLine line = new CommandLine(new Slipway());
    Verbs.addTo(line, arguments);
    line.getSubcommands().values().forEach(Main::addHelp);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setAbbreviatedOptionsAllowed(false);
    line.setUsageHelpAutoWidth(false);
    line.setParameterExceptionHandler(Main::usage);
    line.setExecutionExceptionHandler((e, command, parsed) -> failed(e, command));
    return line;
  }

  private static void addHelp(CommandLine command) {
    CommandSpec verb = command.getCommandSpec();
    if (verb.findOption("--help") == null) {
      verb.addOption(
          OptionSpec.builder("-h", "--help")
              .usageHelp(true)
              .description("Show this help message and exit.")
              .build());
    }
    command.getSubcommands().values().forEach(Main::addHelp);
  }

  private static int usage(ParameterException e, String[] arguments) {
    CommandLine command = e.getCommandLine();
    command.getErr().println("slipway: " + e.getMessage());
    if (!UnmatchedArgumentException.printSuggestions(e, command.getErr())) {
      command.getErr().println("See " + command.getCommandSpec().qualifiedName() + " --help");
    }
    return ExitCode.USAGE.code();
  }

  private static int failed(Exception e, CommandLine command) throws Exception {
    switch (e) {
      case Failure failure -> {
        command.getErr().println("slipway: " + failure.getMessage());
        failure.lines().forEach(line -> command.getErr().println("  " + line));
        return failure.exitCode().code();
      }
      case InterruptedException _ -> {
        return ExitCode.INTERRUPTED.code();
      }
      default -> {
        if (System.getenv("SLIPWAY_DEBUG") != null) {
          throw e;
        }
        command.getErr().println("slipway: this should not have happened: " + e);
        command.getErr().println("  Repeat it with SLIPWAY_DEBUG=1 for the details of a report.");
        return ExitCode.FAILED.code();
      }
    }
  }
}
