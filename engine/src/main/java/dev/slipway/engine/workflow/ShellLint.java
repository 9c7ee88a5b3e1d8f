package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.ShellText.Nature;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Warns of values that are passed where a program is known to read code. No list of such programs
 * can be complete, so this is a hint to the author of a provider and not a protection.
 */
final class ShellLint {
  private static final Set<String> BEFORE_NAMES =
      Set.of(
          "if", "then", "elif", "else", "do", "while", "until", "!", "{", "time", "exec", "command",
          "sudo", "env", "nohup");
  private static final Set<String> EVALUATING =
      Set.of("eval", "source", ".", "trap", "let", "ssh", "awk", "sed", "xargs");
  private static final Set<String> INTERPRETERS =
      Set.of(
          "sh", "bash", "dash", "ash", "zsh", "ksh", "python", "python3", "perl", "ruby", "node");
  private static final Pattern CODE = Pattern.compile("-[A-Za-z]*[ce]");
  private static final Pattern COMPARISON = Pattern.compile("-(eq|ne|lt|le|gt|ge)");
  private static final Pattern ASSIGNMENT = Pattern.compile("(?s)[A-Za-z_]\\w*\\+?=.*");

  static final String HINT = "Pass it as an argument to a program that reads it as data.";

  private ShellLint() {}

  /** What to say about the value of that number. */
  static Optional<String> warning(ShellScanner scanner, int value) {
    boolean number = scanner.text.values().get(value) == Nature.NUMBER;
    List<String> before = scanner.commands.get(value);
    return number || before.isEmpty() ? Optional.empty() : reader(before).map(ShellLint::sentence);
  }

  private static String sentence(String reader) {
    return "a value " + reader + ", which may run it as code";
  }

  private static Optional<String> reader(List<String> before) {
    List<String> words = before.subList(0, before.size() - 1);
    int first = 0;
    while (first < words.size()
        && (BEFORE_NAMES.contains(words.get(first)) || isAssignment(words.get(first)))) {
      first++;
    }
    if (first == words.size()) {
      boolean name = before.getLast().matches("[^=\0]*") && !before.getLast().equals("<<");
      return name ? Optional.of("is the name of a command") : Optional.empty();
    }
    String program = name(words.get(first));
    if (EVALUATING.contains(program)) {
      return Optional.of("reaches '" + program + "'");
    }
    if (program.equals("[[") && COMPARISON.matcher(words.getLast()).matches()) {
      return Optional.of("is compared as a number");
    }
    return interpreter(before);
  }

  /** An interpreter anywhere among the words, because other programs start them. */
  private static Optional<String> interpreter(List<String> before) {
    for (int i = 0; i < before.size(); i++) {
      String name = name(before.get(i));
      List<String> rest = before.subList(i + 1, before.size());
      boolean code = rest.stream().anyMatch(word -> CODE.matcher(word).matches());
      if (INTERPRETERS.contains(name) && (code || before.getLast().equals("<<"))) {
        return Optional.of("reaches '" + name + "'");
      }
    }
    return Optional.empty();
  }

  private static boolean isAssignment(String word) {
    return ASSIGNMENT.matcher(word).matches();
  }

  private static String name(String word) {
    return word.substring(word.lastIndexOf('/') + 1);
  }
}
