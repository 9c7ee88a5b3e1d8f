package dev.slipway.gotemplate;

import dev.slipway.gotemplate.Source.Place;
import org.jspecify.annotations.Nullable;

/** The parts of a template that have a value: operands, commands and pipelines. */
sealed interface Expression {
  /**
   * A nil that is an element of a list or map. Dot and variables may hold it during a loop: reading
   * a field of it fails, while reading a field of an absent value gives another absent value.
   */
  Object NIL_ELEMENT = new Object();

  Place place();

  /** The place that Go has reached after the evaluation: errors about the whole value name it. */
  default Place lastPlace() {
    return place();
  }

  private static Place lastPlace(Place otherwise, Expression[] parts) {
    return parts.length == 0 ? otherwise : parts[parts.length - 1].lastPlace();
  }

  @Nullable Object eval(Execution x, @Nullable Object dot);

  /**
   * The value as the receiver of a field chain, where a nil element and a missing value are two
   * things.
   */
  default @Nullable Object receive(Execution x, @Nullable Object dot) {
    return eval(x, dot);
  }

  /** The value as a command that gets the result of the command before it. */
  default @Nullable Object evalPiped(Execution x, @Nullable Object dot, @Nullable Object piped) {
    throw x.fail(place(), "can't give argument to non-function " + place().excerpt());
  }

  /** A string or bool. */
  record Constant(Place place, Object value) implements Expression {
    @Override
    public Object eval(Execution x, @Nullable Object dot) {
      return value;
    }
  }

  /** A number or character. */
  record Numeral(Place place, NumberLiteral literal) implements Expression {
    @Override
    public Object eval(Execution x, @Nullable Object dot) {
      if (literal.ideal() == null) {
        throw x.fail(place, literal.text() + " overflows int");
      }
      return literal.ideal();
    }
  }

  /** {@code nil}, which can only be an argument. */
  record Nil(Place place) implements Expression {
    @Override
    public @Nullable Object eval(Execution x, @Nullable Object dot) {
      return null;
    }
  }

  /** {@code .}. */
  record Dot(Place place) implements Expression {
    @Override
    public @Nullable Object eval(Execution x, @Nullable Object dot) {
      return dot == NIL_ELEMENT ? null : dot;
    }

    @Override
    public @Nullable Object receive(Execution x, @Nullable Object dot) {
      return dot;
    }
  }

  /** {@code $x}. */
  record Variable(Place place, int slot) implements Expression {
    @Override
    public @Nullable Object eval(Execution x, @Nullable Object dot) {
      Object value = x.variables[slot];
      return value == NIL_ELEMENT ? null : value;
    }

    @Override
    public @Nullable Object receive(Execution x, @Nullable Object dot) {
      return x.variables[slot];
    }
  }

  /** An expression that parses but always fails when it is evaluated. */
  record Failing(Place place, String reason) implements Expression {
    @Override
    public Object eval(Execution x, @Nullable Object dot) {
      throw x.fail(place, reason);
    }

    @Override
    public Object evalPiped(Execution x, @Nullable Object dot, @Nullable Object piped) {
      throw x.fail(place, reason);
    }
  }

  /** A function's name before it is known whether arguments follow. */
  record FunctionName(Place place, Function function) implements Expression {
    @Override
    public @Nullable Object eval(Execution x, @Nullable Object dot) {
      return new Invocation(place, function, new Expression[0]).eval(x, dot);
    }
  }

  /** An argument that must have a certain type. */
  record Checked(Expression inner, GoType type) implements Expression {
    @Override
    public Place place() {
      return inner.place();
    }

    @Override
    public Place lastPlace() {
      return inner.lastPlace();
    }

    @Override
    public @Nullable Object eval(Execution x, @Nullable Object dot) {
      return Arguments.conform(x, place(), inner.eval(x, dot), type);
    }
  }

  /** A function with its arguments. */
  record Invocation(Place place, Function function, Expression[] arguments) implements Expression {
    @Override
    public Place lastPlace() {
      return Expression.lastPlace(place, arguments);
    }

    @Override
    public @Nullable Object eval(Execution x, @Nullable Object dot) {
      Arguments.checkCount(x, place, function, arguments.length);
      @Nullable Object[] values = new @Nullable Object[arguments.length];
      for (int i = 0; i < arguments.length; i++) {
        values[i] = arguments[i].eval(x, dot);
      }
      return x.invoke(function, function.name(), place, values);
    }

    @Override
    public @Nullable Object evalPiped(Execution x, @Nullable Object dot, @Nullable Object piped) {
      int last = arguments.length;
      Arguments.checkCount(x, place, function, last + 1);
      @Nullable Object[] values = new @Nullable Object[last + 1];
      for (int i = 0; i < last; i++) {
        values[i] = arguments[i].eval(x, dot);
      }
      values[last] = Arguments.conform(x, place, piped, Arguments.type(function, last));
      return x.invoke(function, function.name(), place, values);
    }
  }

  /** {@code and} and {@code or}, which evaluate no more arguments than they need. */
  record Logic(Place place, Function function, boolean decisive, Expression[] arguments)
      implements Expression {
    @Override
    public Place lastPlace() {
      return Expression.lastPlace(place, arguments);
    }

    @Override
    public @Nullable Object eval(Execution x, @Nullable Object dot) {
      Arguments.checkCount(x, place, function, arguments.length);
      Object value = null;
      for (Expression argument : arguments) {
        x.charge(1);
        value = argument.eval(x, dot);
        if (Values.truth(value) == decisive) {
          return value;
        }
      }
      return value;
    }

    @Override
    public @Nullable Object evalPiped(Execution x, @Nullable Object dot, @Nullable Object piped) {
      for (Expression argument : arguments) {
        x.charge(1);
        Object value = argument.eval(x, dot);
        if (Values.truth(value) == decisive) {
          return value;
        }
      }
      return piped;
    }
  }

  /** {@code receiver.a.b}, where the last name may be a method with arguments. */
  record Chain(Place place, Expression receiver, String[] names, Expression[] arguments)
      implements Expression {
    @Override
    public @Nullable Object eval(Execution x, @Nullable Object dot) {
      return Fields.read(x, this, receiver.receive(x, dot), dot, Fields.NOTHING_PIPED);
    }

    @Override
    public @Nullable Object evalPiped(Execution x, @Nullable Object dot, @Nullable Object piped) {
      return Fields.read(x, this, receiver.receive(x, dot), dot, piped);
    }
  }

  /**
   * Commands, each of which gets the value of the one before it.
   *
   * @param slots variables that get the value; a negative one was never declared
   * @param names of these variables
   */
  record Pipeline(Place place, Expression[] commands, int[] slots, String[] names)
      implements Expression {
    @Override
    public Place lastPlace() {
      return Expression.lastPlace(place, commands);
    }

    @Override
    public @Nullable Object eval(Execution x, @Nullable Object dot) {
      Object value = commands[0].eval(x, dot);
      for (int i = 1; i < commands.length; i++) {
        value = commands[i].evalPiped(x, dot, value);
      }
      for (int i = 0; i < slots.length; i++) {
        if (slots[i] < 0) {
          throw x.fail(lastPlace(), "undefined variable: " + names[i]);
        }
        x.variables[slots[i]] = value;
      }
      return value;
    }
  }
}
