package dev.slipway.engine.workflow;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Numbers without loss: integers of any size stay integers, and two numbers are compared by what
 * they are, never through a conversion that rounds.
 */
public final class ExactNumber {
  /** Longer texts are not meant as numbers, and their conversion would be expensive. */
  private static final int LONGEST = 400;

  private static final Pattern INTEGER = Pattern.compile("0|-?[1-9][0-9]*");
  static final Pattern DECIMAL =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]{1,4})?");

  private ExactNumber() {}

  /**
   * The number that a text says: Long, BigInteger when that is too small, or Double. Empty for
   * anything else, for a number too large for a double, and for one that a double would round to a
   * number with other digits ({@code 0.1} is 0.1, but {@code 0.10000000000000000000001} is not).
   */
  public static Optional<Number> parse(String text) {
    if (text.length() > LONGEST || !DECIMAL.matcher(text).matches()) {
      return Optional.empty();
    }
    if (text.equals("-0")) {
      return Optional.empty();
    }
    if (INTEGER.matcher(text).matches()) {
      return Optional.of(integer(new BigInteger(text)));
    }
    double value = Double.parseDouble(text);
    boolean kept =
        Double.isFinite(value)
            && new BigDecimal(text).compareTo(new BigDecimal(Double.toString(value))) == 0;
    return kept ? Optional.of(value) : Optional.empty();
  }

  /** A Long where it fits. */
  public static Number integer(BigInteger value) {
    return value.bitLength() < 64 ? (Number) value.longValueExact() : value;
  }

  /** The number as an integer, if it is one. */
  public static Optional<Number> whole(Number number) {
    return switch (number) {
      case Long l -> Optional.of(l);
      case BigInteger big -> Optional.of(integer(big));
      default -> {
        BigDecimal exact = decimal(number);
        yield exact.stripTrailingZeros().scale() <= 0
            ? Optional.of(integer(exact.toBigIntegerExact()))
            : Optional.empty();
      }
    };
  }

  /** Compares by value: {@code 1} and {@code 1.0} are equal. */
  public static int compare(Number a, Number b) {
    return a instanceof Long x && b instanceof Long y
        ? Long.compare(x, y)
        : decimal(a).compareTo(decimal(b));
  }

  /** The number as its shortest digits say it. */
  private static BigDecimal decimal(Number number) {
    return switch (number) {
      case Long l -> BigDecimal.valueOf(l);
      case Integer i -> BigDecimal.valueOf(i);
      case BigInteger big -> new BigDecimal(big);
      case BigDecimal decimal -> decimal;
      default -> new BigDecimal(Double.toString(number.doubleValue()));
    };
  }
}
