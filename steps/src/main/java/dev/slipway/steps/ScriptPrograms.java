package dev.slipway.steps;

import dev.slipway.steps.job.StepJobs;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The programs that a script certainly starts: its interpreter, and the command if the script is a
 * single simple command. What a longer script starts depends on its control flow.
 */
final class ScriptPrograms {
  private static final Pattern PLAIN_WORD = Pattern.compile("[A-Za-z0-9._+/-]+");
  private static final Pattern MORE_THAN_ONE_COMMAND = Pattern.compile("[\\n;|&<>()`#]|\\$\\(");

  /** Shell builtins and keywords. */
  private static final Set<String> OF_THE_SHELL =
      Set.of(
          ".",
          ":",
          "[",
          "[[",
          "alias",
          "bg",
          "bind",
          "break",
          "builtin",
          "caller",
          "case",
          "cd",
          "command",
          "compgen",
          "complete",
          "continue",
          "coproc",
          "declare",
          "dirs",
          "disown",
          "echo",
          "enable",
          "eval",
          "exec",
          "exit",
          "export",
          "false",
          "fc",
          "fg",
          "for",
          "function",
          "getopts",
          "hash",
          "help",
          "history",
          "if",
          "jobs",
          "kill",
          "let",
          "local",
          "logout",
          "mapfile",
          "popd",
          "printf",
          "pushd",
          "pwd",
          "read",
          "readarray",
          "readonly",
          "return",
          "select",
          "set",
          "shift",
          "shopt",
          "source",
          "suspend",
          "test",
          "time",
          "times",
          "trap",
          "true",
          "type",
          "typeset",
          "ulimit",
          "umask",
          "unalias",
          "unset",
          "until",
          "wait",
          "while");

  private ScriptPrograms() {}

  /** The command of the interpreter: the configured one, else the shebang's, else bash. */
  static List<String> interpreter(@Nullable String asked, String script) {
    if (asked != null && !asked.isBlank()) {
      return words(asked);
    }
    List<String> shebang =
        script.startsWith("#!")
            ? words(script.lines().findFirst().orElse("").substring(2))
            : List.of();
    return shebang.isEmpty() ? List.of("bash") : shebang;
  }

  static Set<String> of(Map<String, Object> config) {
    if (StepJobs.EXECUTOR.equals(config.get("executor"))) {
      return Set.of(); // those of an image
    }
    Object written = config.get("script") == null ? config.get("command") : config.get("script");
    if (!(written instanceof String script)) {
      return Set.of();
    }
    String asked = config.get("interpreter") instanceof String text ? text : null;
    Set<String> programs = new java.util.TreeSet<>(named(interpreter(asked, script)));
    if (asked == null && !script.startsWith("#!")) {
      programs.addAll(command(script.strip()));
    }
    programs.removeIf(program -> !PLAIN_WORD.matcher(program).matches());
    programs.removeIf(program -> program.contains("/") && !program.startsWith("/"));
    return programs;
  }

  /** The interpreter itself; for {@code env} the program that it looks for as well. */
  private static List<String> named(List<String> words) {
    String first = words.getFirst();
    if (!first.equals("env") && !first.endsWith("/env")) {
      return List.of(first);
    }
    return words.stream()
        .filter(word -> word.equals(first) || !word.startsWith("-") && !word.contains("="))
        .limit(2)
        .toList();
  }

  private static List<String> command(String text) {
    String first = text.isEmpty() ? "" : words(text).getFirst();
    boolean plain =
        PLAIN_WORD.matcher(first).matches()
            && !OF_THE_SHELL.contains(first)
            && !MORE_THAN_ONE_COMMAND.matcher(text).find();
    return plain ? List.of(first) : List.of();
  }

  private static List<String> words(String text) {
    return text.isBlank() ? List.of() : Arrays.asList(text.strip().split("\\s+"));
  }
}
