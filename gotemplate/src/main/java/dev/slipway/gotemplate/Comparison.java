package dev.slipway.gotemplate;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Go's comparison of template values: only values of like kinds can be compared. */
final class Comparison {
  private Comparison() {}

  /** Kinds that can be compared with each other; all integers can. */
  private enum Basis {
    NONE,
    BOOL,
    INTEGER,
    FLOAT,
    STRING
  }

  private static Basis basis(Object value) {
    return switch (value) {
      case String _ -> Basis.STRING;
      case Long _, GoInteger _, BigInteger _ -> Basis.INTEGER;
      case Double _, Float _ -> Basis.FLOAT;
      case Boolean _ -> Basis.BOOL;
      default -> Basis.NONE;
    };
  }

  private static @Nullable Object plain(@Nullable Object value) {
    Object plain = value instanceof GoObject object ? object.underlying() : value;
    return plain instanceof Number ? Values.of(plain) : plain;
  }

  static boolean equal(Call call, @Nullable Object a, @Nullable Object b) {
    Object x = plain(a);
    Object y = plain(b);
    if (x == null || y == null) {
      return nil(x) && nil(y);
    }
    Basis basis = basis(x);
    if (basis != basis(y)) {
      throw incompatible(call, x, y);
    }
    return switch (basis) {
      case STRING -> x.equals(y);
      case INTEGER -> compareIntegers(x, y) == 0;
      case FLOAT -> real(x) == real(y);
      case BOOL -> x.equals(y);
      case NONE -> identical(call, x, y);
    };
  }

  private static boolean identical(Call call, Object x, Object y) {
    if (nil(x) || nil(y)) {
      return nil(x) == nil(y);
    }
    Kind kind = Values.kind(x);
    if (kind != Values.kind(y)) {
      throw incompatible(call, x, y);
    }
    if (kind == Kind.MAP || kind == Kind.SLICE || kind == Kind.FUNC) {
      throw call.fail("non-comparable type " + Values.type(y));
    }
    return kind == Kind.PTR ? x == y : x.equals(y);
  }

  private static boolean nil(@Nullable Object value) {
    return value == null || NilList.is(value);
  }

  static boolean lessOrEqual(Call call, @Nullable Object a, @Nullable Object b) {
    return less(call, a, b) || equal(call, a, b);
  }

  static boolean less(Call call, @Nullable Object a, @Nullable Object b) {
    Object x = plain(a);
    Object y = plain(b);
    if (x == null || y == null) {
      throw call.fail("invalid type for comparison");
    }
    Basis basis = basis(x);
    if (basis == Basis.NONE || basis(y) == Basis.NONE) {
      throw call.fail("invalid type for comparison");
    }
    if (basis != basis(y)) {
      throw incompatible(call, x, y);
    }
    return switch (basis) {
      case STRING -> Text.compare((String) x, (String) y) < 0;
      case INTEGER -> compareIntegers(x, y) < 0;
      case FLOAT -> real(x) < real(y);
      case BOOL, NONE -> throw call.fail("invalid type for comparison");
    };
  }

  private static int compareIntegers(Object x, Object y) {
    if (x instanceof Long a && y instanceof Long b) {
      return Long.compare(a, b);
    }
    if (x instanceof BigInteger || y instanceof BigInteger || unsigned(x) || unsigned(y)) {
      return big(x).compareTo(big(y));
    }
    return Long.compare(signed(x), signed(y));
  }

  private static boolean unsigned(Object integer) {
    return integer instanceof GoInteger sized && sized.kind().unsigned();
  }

  private static long signed(Object integer) {
    return integer instanceof GoInteger sized ? sized.value() : (Long) integer;
  }

  private static BigInteger big(Object integer) {
    return switch (integer) {
      case BigInteger big -> big;
      case GoInteger sized -> new BigInteger(sized.toString());
      default -> BigInteger.valueOf((Long) integer);
    };
  }

  private static double real(Object value) {
    return ((Number) value).doubleValue();
  }

  private static TemplateException incompatible(Call call, Object x, Object y) {
    return call.fail(
        "incompatible types for comparison: " + Values.type(x) + " and " + Values.type(y));
  }
}
