package dev.slipway.gotemplate;

import dev.slipway.gotemplate.Expression.Checked;
import dev.slipway.gotemplate.Expression.Constant;
import dev.slipway.gotemplate.Expression.Failing;
import dev.slipway.gotemplate.Expression.Nil;
import dev.slipway.gotemplate.Expression.Numeral;
import dev.slipway.gotemplate.Source.Place;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Go's rules for what may be passed to a parameter. */
final class Arguments {
  private Arguments() {}

  /** The type that an argument must have. */
  static GoType type(Function function, int index) {
    List<GoType> parameters = function.signature().parameters();
    return index < parameters.size() ? parameters.get(index) : parameters.getLast();
  }

  static void checkCount(Execution x, Place place, Function function, int count) {
    Signature signature = function.signature();
    int wanted = signature.parameters().size();
    if (signature.variadic() ? count >= wanted - 1 : count == wanted) {
      return;
    }
    throw x.fail(
        place,
        "wrong number of args for "
            + function.name()
            + ": want "
            + (signature.variadic() ? "at least " + (wanted - 1) : wanted)
            + " got "
            + count,
        "Its signature is " + function.name() + signature.text() + ".");
  }

  /** The argument as an expression that gives a value of the type, or fails. */
  static Expression prepared(Expression argument, GoType type) {
    return switch (argument) {
      case Nil nil ->
          type.kind().nilable() ? nil : new Failing(nil.place(), "cannot assign nil to " + type);
      case Constant constant -> constant(constant, type);
      case Numeral number -> number(number, type);
      default -> type.equals(GoType.ANY) ? argument : new Checked(argument, type);
    };
  }

  private static Expression constant(Constant constant, GoType type) {
    boolean fits = type.kind() == Kind.INTERFACE || type.kind() == Values.kind(constant.value());
    return fits ? constant : misfit(constant, type);
  }

  private static Expression number(Numeral number, GoType type) {
    Long integer = number.literal().integer();
    Kind kind = type.kind();
    if (kind == Kind.INTERFACE) {
      return number;
    }
    if (kind == Kind.INT && integer != null) {
      return new Constant(number.place(), integer);
    }
    if ((kind.signed() || kind.unsigned()) && integer != null) {
      return new Constant(number.place(), new GoInteger(kind, integer));
    }
    if (kind.floating()) {
      return new Constant(number.place(), number.literal().real());
    }
    return misfit(number, type);
  }

  private static Expression misfit(Expression argument, GoType type) {
    String expected =
        type.kind().signed()
            ? "integer"
            : type.kind().unsigned()
                ? "unsigned integer"
                : type.kind().floating() ? "float" : type.name();
    return new Failing(
        argument.place(), "expected " + expected + "; found " + argument.place().excerpt());
  }

  /** The value itself if it may be passed to a parameter of the type. */
  static @Nullable Object conform(Execution x, Place place, @Nullable Object value, GoType type) {
    if (type == GoType.ANY || type == GoType.STRING && value instanceof String) {
      return value;
    }
    if (value == null) {
      if (type.kind().nilable()) {
        return null;
      }
      throw x.fail(place, "invalid value; expected " + type);
    }
    GoType actual = Values.type(value);
    if (actual.name().equals(type.name())
        || type.kind() == Kind.FUNC && actual.kind() == Kind.FUNC) {
      return value;
    }
    throw x.fail(place, "wrong type for value; expected " + type + "; got " + actual);
  }
}
