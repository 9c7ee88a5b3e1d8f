package dev.slipway.gotemplate;

import java.util.List;
import java.util.Set;

/**
 * A parsed template with the templates that it defines. Immutable; any number of threads may
 * execute it at the same time.
 */
public final class Template {
  private final String name;

  private Template(String name) {
    this.name = name;
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
    return new Template(name);
  }

  public String name() {
    return name;
  }

  /** Names of all templates that this one and its definitions can call, its own included. */
  public Set<String> names() {
    return Set.of(name);
  }

  /** Executes the template; data is one of the types of {@link Values}. */
  public String execute(Object data) {
    return execute(data, Emitter.PRINTING);
  }

  /** Executes the template with the emitter deciding what is written. */
  public String execute(Object data, Emitter emitter) {
    throw new UnsupportedOperationException();
  }

  /** Executes one of the defined templates. */
  public String executeNamed(String defined, Object data) {
    throw new UnsupportedOperationException();
  }

  /** Whether the text is exactly one action that gives a value, with no text around it. */
  public boolean isSingleExpression() {
    throw new UnsupportedOperationException();
  }

  /**
   * The typed value of a template that {@link #isSingleExpression}.
   *
   * @throws IllegalStateException if it is not
   */
  public Object evaluate(Object data) {
    throw new UnsupportedOperationException();
  }

  /** The field chains that this template and its definitions mention, in the order of the text. */
  public List<Reference> references() {
    throw new UnsupportedOperationException();
  }

  /**
   * The same template with other limits, clock or missingkey; what parsing used stays as it was.
   */
  public Template with(Settings settings) {
    throw new UnsupportedOperationException();
  }
}
