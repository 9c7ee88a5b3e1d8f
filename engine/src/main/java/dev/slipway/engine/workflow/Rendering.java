package dev.slipway.engine.workflow;

import dev.slipway.engine.intake.DurationText;
import dev.slipway.engine.workflow.StepType.Kind;
import dev.slipway.engine.workflow.TemplateScan.Holes;
import dev.slipway.gotemplate.TemplateException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a workflow's author wrote into what a step gets, with the values of a scope.
 *
 * @param types whose fields are rendered
 */
public record Rendering(StepTypes types) {
  /**
   * A step's config: plain values, {@link RenderedScript} for scripts, {@link RenderedSql} (or a
   * list of them) for SQL, a list of {@link RenderedManifest} for manifests; conditions stay as
   * they are. Fields that render to null are left out.
   *
   * @throws RenderingException when a template cannot be rendered
   */
  public Map<String, Object> config(Step step, Scope scope) {
    Map<String, Kind> kinds = types.find(step.type()).map(ConfigParser::kinds).orElse(Map.of());
    Map<String, Object> rendered = new LinkedHashMap<>();
    step.config()
        .forEach(
            (name, written) -> {
              Kind kind = kinds.getOrDefault(name, Kind.VALUE);
              Object value = in(name, () -> field(kind, written, step, scope));
              if (value != null) {
                rendered.put(name, value);
              }
            });
    return rendered;
  }

  /** One field of a step's config; null when it has none of that name. */
  public @Nullable Object field(Step step, String name, Scope scope) {
    Object written = step.config().get(name);
    Map<String, Kind> kinds = types.find(step.type()).map(ConfigParser::kinds).orElse(Map.of());
    Kind kind = kinds.getOrDefault(name, Kind.VALUE);
    return written == null ? null : in(name, () -> field(kind, written, step, scope));
  }

  /** A step's environment variables. */
  public Map<String, String> env(Step step, Scope scope) {
    Map<String, String> env = new LinkedHashMap<>();
    step.env()
        .forEach(
            (name, text) -> env.put(name, in("env." + name, () -> template(text).text(scope))));
    return env;
  }

  /** The workflow's variables; each may use those before it. */
  public Map<String, Object> variables(Workflow workflow, Scope scope) {
    Map<String, Object> known = new LinkedHashMap<>();
    workflow
        .variables()
        .forEach(
            (name, written) ->
                known.put(
                    name,
                    in("variables." + name, () -> value(written, scope.withVariables(known)))));
    return known;
  }

  /** What a step leaves in variables, once its outcome is in the scope. */
  public Map<String, Object> setVariables(Step step, Scope scope) {
    Map<String, Object> set = new LinkedHashMap<>();
    step.setVariables()
        .forEach(
            (name, written) ->
                set.put(name, in("setVariables." + name, () -> value(written, scope))));
    return set;
  }

  /** The workflow's outputs; one that cannot be rendered fails them all. */
  public Map<String, Object> outputs(Workflow workflow, Scope scope) {
    Map<String, Object> outputs = new LinkedHashMap<>();
    workflow
        .outputs()
        .forEach(
            (name, output) ->
                outputs.put(name, in("outputs." + name, () -> value(output.value(), scope))));
    return outputs;
  }

  /** A tree of values in which strings are templates; one expression alone keeps its type. */
  public @Nullable Object value(@Nullable Object written, Scope scope) {
    return tree(written, scope);
  }

  static @Nullable Object tree(@Nullable Object written, Scope scope) {
    return switch (written) {
      case String text when TemplateScan.hasTemplate(text) -> template(text).value(scope);
      case Map<?, ?> map -> {
        Map<String, Object> out = LinkedHashMap.newLinkedHashMap(map.size());
        map.forEach((key, each) -> out.put(String.valueOf(key), tree(each, scope)));
        yield out;
      }
      case List<?> list -> {
        List<Object> out = new ArrayList<>(list.size());
        list.forEach(each -> out.add(tree(each, scope)));
        yield out;
      }
      case null, default -> written;
    };
  }

  private @Nullable Object field(Kind kind, Object written, Step step, Scope scope) {
    return switch (kind) {
      case VALUE -> value(written, scope);
      case TEXT -> written instanceof String text ? template(text).text(scope) : written;
      case NUMBER -> number(value(written, scope));
      case BOOLEAN -> bool(value(written, scope));
      case DURATION -> duration(value(written, scope));
      case LIST -> typed(value(written, scope), List.class, "a list");
      case MAP -> typed(value(written, scope), Map.class, "a map");
      case SCRIPT -> script((String) written, step, scope);
      case SQL -> sql(written, scope);
      case MANIFEST -> ManifestRendering.render(written, scope);
      case CONDITION -> written;
    };
  }

  private RenderedScript script(String written, Step step, Scope scope) {
    Holes ours = new Holes.InScript(scope.steps().keySet());
    List<Piece> pieces = template(written, ours).pieces(scope);
    return ScriptRendering.render(pieces, (String) step.config().get("interpreter"));
  }

  private Object sql(Object written, Scope scope) {
    if (written instanceof List<?> list) {
      return list.stream().map(each -> sql(each, scope)).toList();
    }
    return SqlRendering.render(template((String) written).pieces(scope));
  }

  private static @Nullable Object number(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Number number -> number;
      case String text when text.isEmpty() -> null;
      case String text when ExactNumber.parse(text).isPresent() ->
          ExactNumber.parse(text).orElseThrow();
      default -> throw new RenderingException("must be a number", null);
    };
  }

  private static @Nullable Object bool(@Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Boolean bool -> bool;
      case String text when text.isEmpty() -> null;
      case String text when text.equals("true") || text.equals("false") -> text.equals("true");
      default -> throw new RenderingException("must be true or false", null);
    };
  }

  private static @Nullable Object duration(@Nullable Object value) {
    if (value == null || value.equals("")) {
      return null;
    }
    if (DurationText.parseValue(value).isEmpty()) {
      throw new RenderingException("must be a duration", DurationText.FORMS);
    }
    return value;
  }

  private static @Nullable Object typed(@Nullable Object value, Class<?> type, String words) {
    if (value != null && !type.isInstance(value)) {
      throw new RenderingException("must be " + words, null);
    }
    return value;
  }

  private static TextTemplate template(String text) {
    return template(text, new Holes.All());
  }

  private static TextTemplate template(String text, Holes holes) {
    try {
      return TextTemplate.of(text, holes);
    } catch (TemplateException e) {
      throw RenderingException.of(e);
    }
  }

  /** Says in which field it happened. */
  private static <T extends @Nullable Object> T in(String place, Supplier<T> work) {
    try {
      return work.get();
    } catch (RenderingException e) {
      throw e.in(place);
    }
  }
}
