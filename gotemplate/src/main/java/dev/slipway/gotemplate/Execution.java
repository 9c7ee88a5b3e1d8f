package dev.slipway.gotemplate;

import dev.slipway.gotemplate.Source.Place;
import dev.slipway.gotemplate.TemplateException.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The state of one execution: variables, output, the used part of the limits, the current place.
 */
final class Execution {
  private static final int STEPS_BETWEEN_LOOKS_AT_THE_TIME = 512;
  private static final int ONE_LOOP_TURN = 1;

  private final Settings settings;
  private final Limits limits;
  private final Map<String, Definition> definitions;
  private final Emitter emitter;
  private final Output output;
  private final long started = System.nanoTime();
  private final long time;
  private long used;
  private long nextCheck;
  private long iterations;
  private int depth;

  /** Variables of the template that runs; number 0 is {@code $}. */
  @Nullable Object[] variables = {null};

  /** The place that runs now, for errors that no single expression causes. */
  Place place;

  Execution(Settings settings, Map<String, Definition> definitions, Emitter emitter, Place place) {
    this.settings = settings;
    this.limits = settings.limits();
    this.definitions = definitions;
    this.emitter = emitter;
    this.place = place;
    this.output = new Output(this);
    this.time = TimeUnit.NANOSECONDS.convert(limits.time());
    this.nextCheck = Math.min(STEPS_BETWEEN_LOOKS_AT_THE_TIME, limits.steps());
  }

  /** A template with its own variables. */
  record Definition(String name, Statement.Block body, int variables) {}

  Settings settings() {
    return settings;
  }

  Limits limits() {
    return limits;
  }

  Output output() {
    return output;
  }

  /** Runs a template; its variables are not those of the caller. */
  void run(Definition definition, @Nullable Object data) {
    if (++depth > limits.depth()) {
      throw failure(
          Kind.DEPTH_LIMIT,
          "template calls nested more than " + limits.depth() + " deep",
          "Does a template call itself without end?");
    }
    @Nullable Object[] callers = variables;
    variables = new Object[definition.variables()];
    variables[0] = data;
    definition.body().run(this, data);
    variables = callers;
    depth--;
  }

  Optional<Definition> definition(String name) {
    return Optional.ofNullable(definitions.get(name));
  }

  java.util.Set<String> definitionNames() {
    return definitions.keySet();
  }

  void text(String literal) {
    if (emitter == Emitter.PRINTING) {
      output.append(literal);
    } else {
      emitter.text(literal, output);
    }
  }

  void emit(@Nullable Object value, Place at) {
    if (value instanceof Function) {
      throw fail(at, "can't print " + at.excerpt() + " of type " + Values.type(value));
    }
    if (emitter == Emitter.PRINTING) {
      output.print(value);
    } else {
      emitter.value(value, at.position(), output);
    }
  }

  void charge(long steps) {
    used += Math.max(steps, 0);
    if (used >= nextCheck || used < 0) {
      check();
    }
  }

  private void check() {
    if (used > limits.steps() || used < 0) {
      throw failure(
          Kind.STEP_LIMIT,
          "more than " + limits.steps() + " steps",
          "Shorten the loops or raise the limit.");
    }
    if (System.nanoTime() - started > time) {
      throw failure(Kind.TIME_LIMIT, "not done after " + limits.time(), "");
    }
    nextCheck = Math.min(used + STEPS_BETWEEN_LOOKS_AT_THE_TIME, limits.steps());
  }

  void turn() {
    charge(ONE_LOOP_TURN);
    if (++iterations > limits.iterations()) {
      throw failure(
          Kind.ITERATION_LIMIT, "more than " + limits.iterations() + " turns of loops", "");
    }
  }

  void room(long characters) {
    if (characters > limits.output()) {
      throw outputLimit();
    }
    charge(characters >> 4);
  }

  TemplateException outputLimit() {
    return failure(Kind.OUTPUT_LIMIT, "text of more than " + limits.output() + " characters", "");
  }

  TemplateException tooDeep() {
    return failure(Kind.DEPTH_LIMIT, "nested too deeply", "Does a value contain itself?");
  }

  TemplateException failure(Kind kind, String reason, String hint) {
    return new TemplateException(kind, place.position(), place.excerpt(), reason, hint, null);
  }

  TemplateException fail(Place at, String reason) {
    return fail(at, reason, "");
  }

  TemplateException fail(Place at, String reason, String hint) {
    return new TemplateException(Kind.EXECUTION, at.position(), at.excerpt(), reason, hint, null);
  }

  /** Calls a function whose arguments are already checked. */
  @Nullable Object invoke(Function function, String name, Place at, @Nullable Object[] arguments) {
    charge(1);
    Call call = new Call(this, at, name, arguments);
    try {
      Object result = Values.of(function.body().apply(call));
      checkSize(result, name);
      return result;
    } catch (TemplateException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new TemplateException(
          Kind.EXECUTION,
          at.position(),
          at.excerpt(),
          "error calling " + name + ": " + e.getMessage(),
          "",
          e);
    }
  }

  /**
   * Checks the size of a result: one that a variable keeps is never written, so no other limit
   * applies.
   */
  private void checkSize(@Nullable Object result, String name) {
    int elements =
        switch (result) {
          case List<?> list -> list.size();
          case Map<?, ?> map -> map.size();
          case null, default -> 0;
        };
    if (elements > limits.elements()) {
      throw failure(
          Kind.ELEMENT_LIMIT,
          name + " gives " + elements + " elements, more than " + limits.elements(),
          "");
    }
    if (result instanceof String text) {
      room(text.length());
      if (text.length() * 3L > limits.output() && Text.length(text) > limits.output()) {
        throw failure(
            Kind.OUTPUT_LIMIT, name + " gives more than " + limits.output() + " bytes", "");
      }
    }
  }

  String print(@Nullable Object value) {
    return switch (value) {
      case String text -> text;
      case Long number -> Long.toString(number);
      case Boolean bool -> bool.toString();
      case null, default -> new Printer(this).print(value);
    };
  }

  String format(String format, @Nullable Object... arguments) {
    return new Printf(this, format, arguments).format();
  }
}
