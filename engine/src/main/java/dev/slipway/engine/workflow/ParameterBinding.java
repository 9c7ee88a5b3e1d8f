package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.ReservedParameters;
import dev.slipway.engine.value.Sealed;
import dev.slipway.engine.workflow.Parameter.Need;
import dev.slipway.engine.workflow.Workflow.Secrecy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives every parameter of a workflow its value: the identity from the engine alone; else from the
 * resource's params, else what the engine proposes, else the resource's outputs (for update and
 * delete), else the declared default. All problems are found at once, before the first step.
 */
public final class ParameterBinding {
  /** Names that every workflow gets without declaring them. */
  public static final Set<String> INJECTED = injected();

  /**
   * Where values come from. The injected identity wins; then params; then the injected proposals;
   * then outputs.
   */
  public record Sources(
      Map<String, Object> params,
      Map<String, Object> injected,
      Map<String, Object> outputs,
      Words words) {}

  /** Which texts count as a boolean. */
  public enum Words {
    /** {@code true} and {@code false}. */
    STRICT,
    /** Also yes, no, on, off, 1 and 0: values of a query string or a command line. */
    QUERY
  }

  /**
   * A value that cannot be used.
   *
   * @param code such as {@code type-mismatch} or {@code missing-parameter}
   */
  public record Problem(String code, String parameter, String message, @Nullable String hint) {}

  /**
   * The outcome.
   *
   * @param values by name; optional parameters without a value are there as null
   * @param secrets names of parameters whose values are secret
   * @param undeclared supplied names that the workflow does not declare; passed through
   */
  public record Bound(
      Map<String, Object> values,
      Set<String> secrets,
      List<String> undeclared,
      List<Problem> problems) {}

  private final Workflow workflow;
  private final Sources sources;
  private final Scope scope;
  private final Map<String, Object> values = new LinkedHashMap<>();
  private final List<Problem> problems = new ArrayList<>();
  private final Map<String, Parameter> waiting = new LinkedHashMap<>();
  private final Set<String> failed = new HashSet<>();

  private ParameterBinding(Workflow workflow, Sources sources, Scope scope) {
    this.workflow = workflow;
    this.sources = sources;
    this.scope = scope;
  }

  /** Binds; the scope gives defaults their context and configuration. */
  public static Bound bind(Workflow workflow, Sources sources, Scope scope) {
    return new ParameterBinding(workflow, sources, scope).bind();
  }

  /** A value in the parameter's type, where it is of that type. */
  public static Optional<Object> converted(Parameter parameter, Object value) {
    return new ParameterCheck(parameter, Words.STRICT).convert(value);
  }

  private static Set<String> injected() {
    Set<String> names = new LinkedHashSet<>(ReservedParameters.IDENTITY);
    names.addAll(ReservedParameters.PROPOSED);
    return Collections.unmodifiableSet(names);
  }

  private Bound bind() {
    sources.injected().forEach(values::put);
    List<String> undeclared = new ArrayList<>();
    Map<String, Parameter> declared = new HashMap<>();
    workflow.parameters().forEach(parameter -> declared.put(parameter.name(), parameter));
    sources
        .params()
        .forEach(
            (name, value) -> {
              if (!declared.containsKey(name) && !INJECTED.contains(name)) {
                values.put(name, value);
                undeclared.add(name);
              }
            });
    workflow.parameters().forEach(this::supplied);
    workflow.parameters().forEach(parameter -> fromTemplate(parameter.name(), new HashSet<>()));
    return new Bound(values, secrets(), undeclared, problems);
  }

  private Set<String> secrets() {
    Set<String> secrets = new LinkedHashSet<>();
    for (Parameter parameter : workflow.parameters()) {
      if (parameter.secrecy() == Secrecy.SECRET) {
        secrets.add(parameter.name());
      }
    }
    return secrets;
  }

  private void supplied(Parameter parameter) {
    // Without an injected value a name of the identity has none: no other source may stand in.
    boolean identity = ReservedParameters.IDENTITY.contains(parameter.name());
    Object value =
        identity
            ? sources.injected().get(parameter.name())
            : first(parameter.name(), sources.params(), sources.injected(), sources.outputs());
    Object otherwise = identity ? null : parameter.defaultValue();
    if (value != null) {
      put(parameter, value);
    } else if (TemplateScan.anyTemplate(otherwise)) {
      waiting.put(parameter.name(), parameter);
    } else if (otherwise != null) {
      put(parameter, otherwise);
    } else {
      missing(parameter);
    }
  }

  @SafeVarargs
  private static @Nullable Object first(String name, Map<String, Object>... sources) {
    for (Map<String, Object> source : sources) {
      if (source.get(name) != null) {
        return source.get(name);
      }
    }
    return null;
  }

  private void missing(Parameter parameter) {
    values.put(parameter.name(), null);
    if (parameter.need() == Need.REQUIRED) {
      String description = parameter.description();
      problem(
          "missing-parameter",
          parameter,
          "'" + parameter.name() + "' is required",
          description.isEmpty() ? null : description);
    }
  }

  /** Renders a default after those it is made from. */
  private void fromTemplate(String name, Set<String> path) {
    Parameter parameter = waiting.get(name);
    if (parameter == null || !path.add(name)) {
      return;
    }
    Set<String> uses = DefaultOrder.uses(parameter.defaultValue());
    uses.forEach(other -> fromTemplate(other, path));
    if (waiting.remove(name) == null) {
      return;
    }
    values.put(name, null);
    if (uses.stream().anyMatch(failed::contains)) {
      failed.add(name);
      return;
    }
    try {
      Object value = Rendering.tree(parameter.defaultValue(), scope.withParameters(values));
      if (value == null || value.equals("") && parameter.need() == Need.REQUIRED) {
        missing(parameter);
      } else {
        put(parameter, value);
      }
    } catch (RenderingException e) {
      problem("bad-default", parameter, "default of '" + name + "': " + e.getMessage(), null);
    }
  }

  private void put(Parameter parameter, Object value) {
    values.put(parameter.name(), value);
    if (value instanceof Sealed) {
      return;
    }
    ParameterCheck check = new ParameterCheck(parameter, sources.words());
    Optional<ParameterCheck.Problem> found = check.problem(value);
    found.ifPresent(p -> problem(p.code(), parameter, p.message(), p.hint()));
    if (found.isEmpty()) {
      values.put(parameter.name(), check.convert(value).orElseThrow());
    }
  }

  private void problem(String code, Parameter parameter, String message, @Nullable String hint) {
    failed.add(parameter.name());
    problems.add(new Problem(code, parameter.name(), message, hint));
  }
}
