package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.ShellText.Nature;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Which values can reach which shell variables, whatever the order in which the script runs. */
final class ShellTaint {
  private final ShellText text;
  private final Map<String, ShellWord> into = new HashMap<>();
  private final Set<String> integers = new HashSet<>();
  private final Map<String, Set<Integer>> behind = new HashMap<>();

  ShellTaint(ShellText text, ShellReader reader, ShellGrammar grammar) {
    this.text = text;
    reader.assigned.forEach(word -> flow(String.valueOf(word.declared()), word));
    grammar.loops.forEach(word -> flow(String.valueOf(word.declared()), word));
    for (List<ShellCommand> pipeline : grammar.pipelines) {
      pipeline.forEach(command -> command(command, grammar));
    }
    spread();
  }

  /** The values of text that the variable may hold. */
  Set<Integer> behind(String variable) {
    return behind.getOrDefault(variable, Set.of());
  }

  /** Whether it was declared so that assigning to it evaluates. */
  boolean isInteger(String variable) {
    return integers.contains(variable);
  }

  private void flow(String variable, ShellWord from) {
    into.computeIfAbsent(variable, _ -> new ShellWord()).take(from);
  }

  private void command(ShellCommand command, ShellGrammar grammar) {
    command.assignments.forEach(word -> flow(String.valueOf(word.assigned()), word));
    if (command.words.isEmpty()) {
      return;
    }
    String name = String.valueOf(command.words.getFirst().text());
    List<ShellWord> arguments = command.words.subList(1, command.words.size());
    switch (name) {
      case "declare", "typeset", "local", "export", "readonly" -> declared(arguments);
      case "read", "mapfile", "readarray", "getopts" -> {
        arguments.forEach(word -> flow(String.valueOf(word.text()), everything()));
        List.of("REPLY", "MAPFILE", "OPTARG").forEach(each -> flow(each, everything()));
      }
      case "printf" -> {
        if (arguments.size() > 1 && arguments.getFirst().isBare("-v")) {
          arguments.forEach(word -> flow(String.valueOf(arguments.get(1).text()), word));
        }
      }
      default -> {
        if (name.equals("set") || grammar.functions.contains(name)) {
          arguments.forEach(word -> flow("@", word));
        }
      }
    }
  }

  private void declared(List<ShellWord> arguments) {
    boolean integer = false;
    for (ShellWord word : arguments) {
      integer |= word.prefix().matches("[-+][A-Za-z]*i[A-Za-z]*");
      String name = word.declared() == null ? word.prefix() : word.declared();
      flow(name, word);
      if (integer) {
        integers.add(name);
      }
    }
  }

  /** What a script reads may be anything that it wrote before. */
  private ShellWord everything() {
    ShellWord all = new ShellWord();
    for (int i = 0; i < text.values().size(); i++) {
      all.values.add(i);
    }
    return all;
  }

  private void spread() {
    boolean changed = true;
    while (changed) {
      changed = false;
      for (Map.Entry<String, ShellWord> each : into.entrySet()) {
        Set<Integer> known = behind.computeIfAbsent(each.getKey(), _ -> new TreeSet<>());
        Set<Integer> more = new TreeSet<>(each.getValue().values);
        each.getValue().variables.forEach(variable -> more.addAll(behind(variable)));
        more.removeIf(value -> text.values().get(value) != Nature.TEXT);
        changed |= known.addAll(more);
      }
    }
  }
}
