package dev.slipway.cli;

import java.util.List;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Prints completion for a shell. */
@Command(
    name = "completion",
    description = "Prints completion for bash, zsh or fish: source <(slipway completion bash)")
final class CompletionVerb extends Verb {
  @Parameters(paramLabel = "bash|zsh|fish")
  String shell;

  @Override
  public Integer call() {
    CommandLine line = spec.root().commandLine();
    switch (shell) {
      case "bash" -> out.println(AutoComplete.bash("slipway", line) + KindCompletion.BASH);
      case "zsh" ->
          out.println(
              "autoload -U +X bashcompinit && bashcompinit\n"
                  + AutoComplete.bash("slipway", line)
                  + KindCompletion.BASH);
      case "fish" -> {
        fish(line, List.of());
        out.print(KindCompletion.FISH);
      }
      default ->
          throw new Failure(
              ExitCode.USAGE, "no completion for '" + shell + "'", "There is bash, zsh and fish.");
    }
    return ExitCode.OK.code();
  }

  private void fish(CommandLine line, List<String> above) {
    String seen =
        above.isEmpty()
            ? "__fish_use_subcommand"
            : above.stream()
                .map(w -> "__fish_seen_subcommand_from " + w)
                .collect(Collectors.joining("; and "));
    line.getSubcommands()
        .forEach(
            (name, sub) -> {
              String[] description = sub.getCommandSpec().usageMessage().description();
              out.printf(
                  "complete -c slipway -f -n '%s' -a %s -d '%s'%n",
                  seen, name, description.length == 0 ? "" : description[0].replace("'", "\\'"));
              if (above.isEmpty()) {
                fish(sub, List.of(name));
              }
            });
  }
}
