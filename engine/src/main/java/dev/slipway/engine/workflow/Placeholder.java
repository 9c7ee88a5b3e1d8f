package dev.slipway.engine.workflow;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What stands in {@code ${...}}: a dotted chain such as {@code parameters.size} or {@code
 * make-db.host}, or the name of an environment variable with an optional default.
 */
sealed interface Placeholder {

  /** {@code parameters.x}, {@code steps.s.output.k}, {@code s.k}, ... */
  record Chain(List<String> names) implements Placeholder {
    public Chain {
      names = List.copyOf(names);
    }

    @Override
    public String toString() {
      return String.join(".", names);
    }
  }

  /** {@code VAR} or {@code VAR:-default}. */
  record Variable(String name, @Nullable String otherwise) implements Placeholder {}

  /** First names of placeholders everywhere, also in scripts. */
  Set<String> ROOTS =
      Set.of(
          "parameters",
          "variables",
          "workflow",
          "steps",
          "resources",
          "metadata",
          "environment",
          "context",
          "outputs",
          "config");

  Pattern CHAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]*(\\.[A-Za-z0-9_-]+)+");
  Pattern VARIABLE = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)(:-([\\s\\S]*))?");

  /** Reads what stands between the braces; null when it is neither form. */
  static @Nullable Placeholder read(String inside) {
    if (CHAIN.matcher(inside).matches()) {
      return new Chain(List.of(inside.split("\\.")));
    }
    var variable = VARIABLE.matcher(inside);
    return variable.matches() ? new Variable(variable.group(1), variable.group(3)) : null;
  }

  /** Whether this is a placeholder in a script, and not an expansion of the shell. */
  static boolean oursInScript(String inside, Set<String> steps) {
    if (!CHAIN.matcher(inside).matches()) {
      return false;
    }
    String first = inside.substring(0, inside.indexOf('.'));
    return ROOTS.contains(first) || steps.contains(first);
  }

  /** The value in this scope. */
  default @Nullable Object resolve(Scope scope) {
    return switch (this) {
      case Chain chain -> chain(chain, scope);
      case Variable variable -> variable(variable, scope);
    };
  }

  private static @Nullable Object variable(Variable variable, Scope scope) {
    if (scope.env().containsKey(variable.name())) {
      return scope.env().get(variable.name());
    }
    Object value = scope.variables().get(variable.name());
    if (value != null || scope.variables().containsKey(variable.name())) {
      return value;
    }
    if (variable.otherwise() != null) {
      return variable.otherwise();
    }
    throw new RenderingException(
        "'" + variable.name() + "' is neither in the step's env nor a variable",
        "Define it, or write ${" + variable.name() + ":-default}.");
  }

  private static @Nullable Object chain(Chain chain, Scope scope) {
    List<String> names = chain.names();
    List<String> rest = names.subList(1, names.size());
    return switch (names.getFirst()) {
      case "parameters" -> walk(chain, scope.parameters(), rest);
      case "variables", "workflow" -> walk(chain, scope.variables(), rest);
      case "context" -> walk(chain, scope.context(), rest);
      case "outputs" -> walk(chain, scope.outputs(), rest);
      case "config" -> walk(chain, scope.config(), rest);
      case "resources", "metadata", "environment" -> walk(chain, scope.context(), names);
      case "steps" -> stepOutput(chain, scope, rest);
      default -> {
        List<String> full = new ArrayList<>(List.of(names.getFirst(), "output"));
        full.addAll(rest);
        yield stepOutput(chain, scope, full);
      }
    };
  }

  private static @Nullable Object stepOutput(Chain chain, Scope scope, List<String> names) {
    StepOutcome outcome = scope.steps().get(names.getFirst());
    if (outcome == null) {
      throw new RenderingException(
          "'" + chain + "': there is no finished step '" + names.getFirst() + "'", null);
    }
    Map<String, Object> step = new LinkedHashMap<>();
    step.put("output", Scope.visible(outcome));
    step.put("outputs", Scope.visible(outcome));
    step.put("success", outcome.is(StepEnding.SUCCESS));
    step.put("failed", outcome.is(StepEnding.FAILED));
    step.put("skipped", outcome.is(StepEnding.SKIPPED));
    return walk(chain, step, names.subList(1, names.size()));
  }

  private static @Nullable Object walk(Chain chain, Object from, List<String> names) {
    Object here = from;
    for (String name : names) {
      if (here == null) {
        return null;
      }
      if (!(here instanceof Map<?, ?> map)) {
        throw new RenderingException("'" + chain + "': nothing has a field '" + name + "'", null);
      }
      if (!map.containsKey(name)) {
        throw new RenderingException("'" + chain + "' is not known", missing(name, map));
      }
      here = map.get(name);
    }
    return here;
  }

  private static @Nullable String missing(String name, Map<?, ?> map) {
    List<String> known = map.keySet().stream().map(String::valueOf).sorted().toList();
    return dev.slipway.engine.intake.Nearest.hintOrList(name, known);
  }
}
