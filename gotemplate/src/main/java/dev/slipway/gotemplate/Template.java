package dev.slipway.gotemplate;

import dev.slipway.gotemplate.Execution.Definition;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A parsed template with the templates that it defines. Immutable; any number of threads may
 * execute it at the same time.
 */
public final class Template {
  private final String name;
  private final Source source;
  private final Settings settings;
  private final Parser.Parsed parsed;

  private Template(String name, Source source, Settings settings, Parser.Parsed parsed) {
    this.name = name;
    this.source = source;
    this.settings = settings;
    this.parsed = parsed;
  }

  /** Parses with Go's defaults. */
  public static Template parse(String name, String text) {
    return parse(name, text, Settings.DEFAULT);
  }

  /**
   * Parses a template.
   *
   * @param name appears in errors, for example a file name
   * @param text the template
   * @param settings how to read and execute it
   * @throws TemplateException if the text is not a template
   */
  public static Template parse(String name, String text, Settings settings) {
    Source source = new Source(name, text);
    return new Template(name, source, settings, Parser.parse(name, source, settings));
  }

  /** Names of all templates that this one can call, its own included. */
  public Set<String> names() {
    return Collections.unmodifiableSet(parsed.definitions().keySet());
  }

  /** Executes the template; data is one of the types of {@link Values}. */
  public String execute(@Nullable Object data) {
    return execute(data, Emitter.PRINTING);
  }

  /** Executes the template with the emitter deciding what is written. */
  public String execute(@Nullable Object data, Emitter emitter) {
    return execute(main(), data, emitter);
  }

  /** Executes one of the defined templates. */
  public String executeNamed(String defined, @Nullable Object data) {
    Definition definition = parsed.definitions().get(defined);
    if (definition == null) {
      throw execution(Emitter.PRINTING)
          .failure(
              TemplateException.Kind.EXECUTION,
              "template " + Quoted.quote(defined) + " not defined",
              Suggestion.of(defined, names()));
    }
    return execute(definition, data, Emitter.PRINTING);
  }

  private String execute(Definition definition, @Nullable Object data, Emitter emitter) {
    Execution execution = execution(emitter);
    guarded(
        execution,
        () -> {
          execution.run(definition, own(data));
          return null;
        });
    return execution.output().toString();
  }

  /** Whether the text is exactly one action that gives a value, with no text around it. */
  public boolean isSingleExpression() {
    Statement[] statements = main().body().statements();
    return statements.length == 1 && statements[0] instanceof Statement.Emission;
  }

  /**
   * The typed value of a template that {@link #isSingleExpression}.
   *
   * @throws IllegalStateException if it is not
   */
  public @Nullable Object evaluate(@Nullable Object data) {
    if (!isSingleExpression()
        || !(main().body().statements()[0] instanceof Statement.Emission emission)) {
      throw new IllegalStateException(name + " is not a single expression");
    }
    Execution execution = execution(Emitter.PRINTING);
    return guarded(
        execution,
        () -> {
          Object dot = own(data);
          execution.variables = new @Nullable Object[main().variables()];
          execution.variables[0] = dot;
          execution.place = emission.place();
          return emission.expression().eval(execution, dot);
        });
  }

  /** The field chains that this template and its definitions mention, in the order of the text. */
  public List<Reference> references() {
    return parsed.references();
  }

  /**
   * The same template with other limits, clock or missingkey; what parsing used stays as it was.
   */
  public Template with(Settings other) {
    return new Template(name, source, other, parsed);
  }

  /** The data; a copy of it if the template calls functions that change dicts. */
  private @Nullable Object own(@Nullable Object data) {
    return parsed.changing() ? Dict.owned(Values.of(data)) : Values.of(data);
  }

  private Definition main() {
    return Objects.requireNonNull(
        parsed.definitions().get(name), "the parser always adds the main template");
  }

  private Execution execution(Emitter emitter) {
    return new Execution(settings, parsed.definitions(), emitter, source.place(0, 0));
  }

  /** Turns every failure of an execution into an error that names the place in the template. */
  private static @Nullable Object guarded(Execution execution, Supplier<@Nullable Object> action) {
    try {
      return action.get();
    } catch (TemplateException e) {
      throw e;
    } catch (StackOverflowError e) {
      throw execution.tooDeep();
    } catch (RuntimeException e) {
      throw execution.failure(TemplateException.Kind.EXECUTION, String.valueOf(e.getMessage()), "");
    }
  }
}
