package dev.slipway.cli;

import dev.slipway.engine.value.Json;
import java.io.Console;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks a person for parameters, one after the other. What cannot be used is said at once, and asked
 * again. Nothing is done before the last answer, so leaving in between leaves nothing.
 */
record ParameterPrompts(Console console, Screen screen, Check check) {
  /** What is wrong with parameters: sentences by name. */
  interface Check {
    Map<String, String> faults(Map<String, Object> parameters) throws InterruptedException;
  }

  /** Puts an answer for each of these into the values. */
  void ask(List<Map<String, Object>> wanted, Map<String, Object> values)
      throws InterruptedException {
    if (!wanted.isEmpty()) {
      // Missing permission and unusable values are reported before the first prompt.
      Map<String, String> faults = check.faults(values);
      for (String given : values.keySet()) {
        if (faults.containsKey(given)) {
          throw new Failure(ExitCode.USAGE, given + ": " + faults.get(given));
        }
      }
    }
    for (Map<String, Object> parameter : wanted) {
      ask(parameter, values);
    }
  }

  private void ask(Map<String, Object> parameter, Map<String, Object> values)
      throws InterruptedException {
    String name = String.valueOf(parameter.get("name"));
    introduce(parameter);
    while (true) {
      String answer = choice(parameter, read(parameter, name));
      boolean required =
          Boolean.TRUE.equals(parameter.get("required")) && parameter.get("default") == null;
      if (answer.isEmpty()) {
        if (!required) {
          return;
        }
        say("A value is needed.");
        continue;
      }
      Map<String, Object> tried = new LinkedHashMap<>(values);
      tried.put(name, answer);
      String fault = check.faults(tried).get(name);
      if (fault == null) {
        values.put(name, answer);
        return;
      }
      say(fault);
    }
  }

  private void introduce(Map<String, Object> parameter) {
    Object description = parameter.get("description");
    String rule = ProviderText.constraints(parameter);
    console.printf(
        "%s%s%n",
        screen.paint(Ink.BOLD, String.valueOf(parameter.get("name"))),
        description == null || "".equals(description) ? "" : "  " + description);
    if (parameter.get("allowed") instanceof List<?> allowed) {
      for (int i = 0; i < allowed.size(); i++) {
        console.printf("  %d) %s%n", i + 1, allowed.get(i));
      }
    } else if (!rule.equals("-")) {
      console.printf("%s%n", screen.paint(Ink.DIM, "  " + rule));
    }
  }

  private String read(Map<String, Object> parameter, String name) {
    Object preset = parameter.get("default");
    String shown =
        preset == null ? "" : " [" + (preset instanceof String s ? s : Json.write(preset)) + "]";
    if (Boolean.TRUE.equals(parameter.get("secret"))) {
      char[] answer = console.readPassword("%s (not shown): ", name);
      return answer == null ? left() : new String(answer);
    }
    String answer = console.readLine("%s%s: ", name, shown);
    return answer == null ? left() : answer.strip();
  }

  /** The input ended before an answer. */
  private static String left() {
    throw new Failure(ExitCode.INTERRUPTED, "not done: the questions were not answered");
  }

  /** A choice may be named by its number, unless a value is that number itself. */
  private static String choice(Map<String, Object> parameter, String answer) {
    if (!(parameter.get("allowed") instanceof List<?> allowed)
        || !answer.matches("[0-9]{1,3}")
        || allowed.stream().anyMatch(a -> answer.equals(String.valueOf(a)))) {
      return answer;
    }
    int number = Integer.parseInt(answer);
    return number >= 1 && number <= allowed.size()
        ? String.valueOf(allowed.get(number - 1))
        : answer;
  }

  private void say(String sentence) {
    console.printf("%s%n", screen.paint(Ink.BAD, "  " + sentence));
  }
}
