package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.ShellReader.Misplaced;
import dev.slipway.engine.workflow.ShellText.Nature;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Finds the places of a script where a text would be read as code once more: {@code eval}, {@code
 * sh -c}, arithmetic, programs of other languages. A value may stand there only if it is a number,
 * neither directly nor through a shell variable. Rather too careful than not careful enough.
 */
final class ShellDanger {
  private static final String ADVICE =
      "Use a parameter of type integer, or pass the value as an argument to a program that does not"
          + " read it as code.";
  private static final Set<String> SHELLS =
      Set.of("sh", "bash", "dash", "ash", "ksh", "zsh", "mksh", "rbash", "busybox", "fish");
  private static final Set<String> ALL_CODE =
      Set.of(
          "eval",
          "let",
          "alias",
          "compgen",
          "complete",
          "bind",
          "watch",
          "parallel",
          "at",
          "batch",
          "script",
          "expect",
          "make",
          "gmake");
  private static final Set<String> FIRST_CODE = Set.of("trap", ".", "source");
  private static final Set<String> WRAPPERS =
      Set.of(
          "command", "builtin", "exec", "env", "sudo", "doas", "nohup", "nice", "timeout", "xargs",
          "stdbuf", "setsid", "ionice", "chroot", "unshare", "nsenter", "coproc", "then", "time");
  private static final Set<String> NAMES =
      Set.of("unset", "read", "mapfile", "readarray", "getopts");
  private static final Set<String> DECLARING =
      Set.of("declare", "typeset", "local", "export", "readonly");
  private static final Set<String> TALKERS =
      Set.of(
          "echo", "printf", "cat", "grep", "test", "[", "which", "type", "apt", "apt-get", "apk",
          "yum", "dnf", "brew", "rm", "cp", "mv", "ls", "mkdir", "touch", "chmod", "chown", "cd",
          "for", "hash");

  /** Programs that take code of their own language behind an option. */
  private static final Map<String, Pattern> CODE_OPTIONS =
      Map.ofEntries(
          Map.entry("python", Pattern.compile("-[A-Za-z]*c.*")),
          Map.entry("python3", Pattern.compile("-[A-Za-z]*c.*")),
          Map.entry("perl", Pattern.compile("-[A-Za-z0-9]*[eE].*")),
          Map.entry("ruby", Pattern.compile("-[A-Za-z]*e.*")),
          Map.entry("node", Pattern.compile("-[ep].*|--eval.*|--print.*")),
          Map.entry("php", Pattern.compile("-r.*")),
          Map.entry("lua", Pattern.compile("-e.*")),
          Map.entry("su", Pattern.compile("-c.*|--command.*")),
          Map.entry("runuser", Pattern.compile("-c.*|--command.*")),
          Map.entry("flock", Pattern.compile("-c.*|--command.*")),
          Map.entry("psql", Pattern.compile("-[A-Za-z]*c.*|--command.*")),
          Map.entry("mysql", Pattern.compile("-[A-Za-z]*e.*|--execute.*")),
          Map.entry("mariadb", Pattern.compile("-[A-Za-z]*e.*|--execute.*")));

  /** Programs that read code, or commands that start programs, from their input. */
  private static final Set<String> READ_CODE =
      Set.of(
          "psql",
          "mysql",
          "mariadb",
          "sqlite3",
          "python",
          "python3",
          "perl",
          "ruby",
          "node",
          "php",
          "lua",
          "ssh",
          "su",
          "at",
          "batch",
          "ed",
          "ex",
          "vi",
          "vim",
          "gdb",
          "dc",
          "parallel");

  private static final Set<String> DANGEROUS_VARIABLES =
      Set.of(
          "PS4",
          "PS0",
          "PS1",
          "PS2",
          "BASH_ENV",
          "ENV",
          "PROMPT_COMMAND",
          "LD_PRELOAD",
          "LD_LIBRARY_PATH",
          "LD_AUDIT",
          "GIT_SSH_COMMAND",
          "GIT_EXTERNAL_DIFF",
          "EDITOR",
          "PAGER",
          "VISUAL");
  private static final Pattern SHELL_CODE = Pattern.compile("-[A-Za-z]*c[A-Za-z]*|--command.*");
  private static final Set<String> NUMERIC_TESTS = Set.of("-eq", "-ne", "-lt", "-le", "-gt", "-ge");

  private final ShellText text;
  private final ShellReader reader;
  private final ShellGrammar grammar;
  private final ShellTaint taint;
  private final List<Misplaced> found = new ArrayList<>();

  ShellDanger(ShellText text, ShellReader reader, ShellGrammar grammar) {
    this.text = text;
    this.reader = reader;
    this.grammar = grammar;
    this.taint = new ShellTaint(text, reader, grammar);
  }

  List<Misplaced> find() {
    found.addAll(reader.misplaced);
    reader.arithmetic.forEach(word -> sink(word, "arithmetic"));
    grammar.tests.forEach(this::test);
    for (List<ShellCommand> pipeline : grammar.pipelines) {
      pipeline.forEach(command -> command(command, pipeline));
    }
    return found.stream().distinct().toList();
  }

  private void sink(ShellWord word, String where) {
    for (int value : word.values) {
      if (text.values().get(value) == Nature.TEXT) {
        found.add(new Misplaced(value, "a value in " + where + " would be run as code", ADVICE));
      }
    }
    for (String variable : word.variables) {
      for (int value : taint.behind(variable)) {
        String name = variable.equals("@") ? "$1, $@" : "$" + variable;
        found.add(
            new Misplaced(
                value,
                "a value reaches " + where + " through " + name + " and would be run as code",
                ADVICE));
      }
    }
  }

  private void command(ShellCommand command, List<ShellCommand> pipeline) {
    for (ShellWord assignment : command.assignments) {
      assignment(assignment);
    }
    for (int i = 0; i < command.words.size(); i++) {
      if (i == 0 || afterWrapper(command.words, i)) {
        called(command, i, pipeline);
      }
    }
    String first = name(command.words, 0);
    if (!TALKERS.contains(first)) {
      for (int i = 0; i < command.words.size(); i++) {
        shell(command, i, pipeline);
      }
    }
  }

  private void assignment(ShellWord word) {
    String name = String.valueOf(word.assigned());
    if (DANGEROUS_VARIABLES.contains(name)) {
      sink(word, name);
    }
    if (taint.isInteger(name)) {
      sink(word, "arithmetic");
    }
  }

  /** Whether everything before this word only says how to start it. */
  private static boolean afterWrapper(List<ShellWord> words, int index) {
    if (!WRAPPERS.contains(name(words, 0))) {
      return false;
    }
    for (int i = 1; i < index; i++) {
      String text = words.get(i).prefix();
      boolean skipped =
          text.startsWith("-")
              || text.contains("=")
              || text.matches("[0-9.]+[smhd]?")
              || WRAPPERS.contains(text);
      if (!skipped) {
        return false;
      }
    }
    return true;
  }

  private void called(ShellCommand command, int index, List<ShellCommand> pipeline) {
    List<ShellWord> words = command.words;
    ShellWord program = words.get(index);
    if (program.text() == null) {
      sink(program, "the name of a command");
    }
    String name = name(words, index);
    List<ShellWord> arguments = words.subList(index + 1, words.size());
    if (ALL_CODE.contains(name)) {
      arguments.forEach(word -> sink(word, name));
    } else if (FIRST_CODE.contains(name)) {
      arguments.stream()
          .filter(w -> !w.prefix().startsWith("-") || !w.values.isEmpty())
          .limit(1)
          .forEach(word -> sink(word, "the code of " + name));
    } else if (NAMES.contains(name)
        || name.equals("printf")
        || name.equals("test")
        || name.equals("[")) {
      names(name, arguments);
    } else if (DECLARING.contains(name)) {
      declared(name, arguments);
    } else if (CODE_OPTIONS.containsKey(name)) {
      option(name, arguments);
    } else if (name.equals("awk") || name.equals("gawk") || name.equals("mawk")) {
      awk(name, arguments);
    } else if (name.equals("sed") || name.equals("gsed")) {
      sed(arguments);
    } else if (name.equals("ssh")) {
      arguments.stream().filter(w -> !w.prefix().contains("@")).forEach(w -> sink(w, name));
    } else if (name.equals("find")) {
      find(arguments);
    }
    if (READ_CODE.contains(name)) {
      sink(command.input, "the input of " + name);
      upstream(command, pipeline, name);
    }
  }

  private void names(String name, List<ShellWord> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      String before = i == 0 ? "" : arguments.get(i - 1).prefix();
      boolean named =
          switch (name) {
            case "printf", "test", "[" -> before.equals("-v");
            case "getopts" -> i > 0;
            default -> !before.matches("-[A-Za-z]*[pdtnNuioscO]");
          };
      if (named) {
        sink(arguments.get(i), "the name of a variable for " + name);
      }
    }
  }

  private void declared(String name, List<ShellWord> arguments) {
    boolean integers = false;
    for (ShellWord word : arguments) {
      integers |= word.prefix().matches("[-+][A-Za-z]*[in][A-Za-z]*");
      if (word.declared() == null) {
        sink(word, "the name of a variable for " + name);
      } else if (integers
          || taint.isInteger(word.declared())
          || DANGEROUS_VARIABLES.contains(word.declared())) {
        sink(word, integers ? "arithmetic" : String.valueOf(word.declared()));
      }
    }
  }

  private void option(String name, List<ShellWord> arguments) {
    Pattern option = CODE_OPTIONS.get(name);
    for (int i = 0; i < arguments.size(); i++) {
      if (option.matcher(arguments.get(i).prefix()).matches()) {
        sink(arguments.get(i), name);
        if (i + 1 < arguments.size()) {
          sink(arguments.get(i + 1), "the code for " + name);
        }
      }
    }
  }

  private void awk(String name, List<ShellWord> arguments) {
    for (int i = 0; i < arguments.size(); i++) {
      String text = arguments.get(i).prefix();
      if (text.equals("-v") || text.equals("-F") || text.equals("-f")) {
        i++;
      } else if (!text.startsWith("-")) {
        sink(arguments.get(i), "the code for " + name);
        return;
      }
    }
  }

  private void sed(List<ShellWord> arguments) {
    boolean sandbox = arguments.stream().anyMatch(word -> "--sandbox".equals(word.text()));
    for (ShellWord word : sandbox ? List.<ShellWord>of() : arguments) {
      for (int value : word.values) {
        boolean file = word.prefix().startsWith("/") || word.prefix().startsWith("./");
        if (text.values().get(value) == Nature.TEXT && !file) {
          found.add(
              new Misplaced(
                  value,
                  "a value in a sed script could run commands",
                  "Add the option --sandbox to sed, or use envsubst."));
        }
      }
    }
  }

  private void find(List<ShellWord> arguments) {
    for (int i = 1; i < arguments.size(); i++) {
      if (arguments.get(i - 1).prefix().matches("-(exec|execdir|ok|okdir)")) {
        sink(arguments.get(i), "the name of a command");
      }
    }
  }

  /** A shell anywhere among the words: {@code sh -c}, a script from its input, or from a file. */
  private void shell(ShellCommand command, int index, List<ShellCommand> pipeline) {
    String name = name(command.words, index);
    if (!SHELLS.contains(name)) {
      return;
    }
    List<ShellWord> rest = command.words.subList(index + 1, command.words.size());
    boolean code = rest.stream().anyMatch(word -> SHELL_CODE.matcher(word.prefix()).matches());
    if (code) {
      rest.forEach(word -> sink(word, name + " -c"));
    }
    ShellWord file =
        rest.stream().filter(word -> !word.prefix().startsWith("-")).findFirst().orElse(null);
    if (file != null && !code) {
      sink(file, "the script for " + name);
    }
    boolean reads = file == null || rest.stream().anyMatch(w -> w.prefix().matches("-[a-z]*s"));
    boolean appended = name(command.words, 0).equals("xargs");
    if (reads || appended) {
      sink(command.input, "the input of " + name);
      upstream(command, pipeline, name);
    }
  }

  private void upstream(ShellCommand command, List<ShellCommand> pipeline, String name) {
    for (ShellCommand earlier : pipeline) {
      if (earlier == command) {
        return;
      }
      sink(earlier.all(), "the input of " + name);
    }
  }

  private void test(List<ShellWord> words) {
    for (int i = 0; i < words.size(); i++) {
      String operator = words.get(i).prefix();
      boolean numeric = NUMERIC_TESTS.contains(operator);
      if (numeric && i > 0) {
        sink(words.get(i - 1), "arithmetic");
      }
      if ((numeric || operator.equals("-v") || operator.equals("-R")) && i + 1 < words.size()) {
        sink(words.get(i + 1), "arithmetic");
      }
    }
  }

  /** The program's name without its folder; empty when it is not known. */
  private static String name(List<ShellWord> words, int index) {
    String text = index < words.size() ? words.get(index).text() : null;
    return text == null ? "" : text.substring(text.lastIndexOf('/') + 1);
  }
}
