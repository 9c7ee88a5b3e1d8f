package dev.slipway.gotemplate.sprig;

import dev.slipway.gotemplate.Call;
import dev.slipway.gotemplate.GoInteger;
import dev.slipway.gotemplate.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Turns any value into a number the way sprig does: what is no number is 0. */
final class Casting {
  private static final double TWO_TO_63 = 0x1p63;

  private Casting() {}

  /** The value as an int64; fails for a big integer that does not fit. */
  static long integer(Call call, @Nullable Object value) {
    return switch (value) {
      case Long n -> n;
      case GoInteger n -> n.value();
      case Double n -> truncated(n);
      case Float n -> truncated(n);
      case BigDecimal n -> truncated(n.doubleValue());
      case BigInteger n -> fitting(call, n);
      case Number n -> n.longValue();
      case Boolean b -> b ? 1 : 0;
      case String text -> GoNumbers.int64(withoutZeroFraction(text), 0).orElse(0L);
      case null, default -> 0;
    };
  }

  private static long fitting(Call call, BigInteger number) {
    if (number.bitLength() > 63) {
      throw call.fail("integer " + shortened(number) + " does not fit into 64 bits");
    }
    return number.longValue();
  }

  private static String shortened(BigInteger number) {
    return number.bitLength() > 300 ? "of " + number.bitLength() + " bits" : number.toString();
  }

  /** Go's conversion on common processors: what does not fit becomes the least int64. */
  private static long truncated(double number) {
    return number >= TWO_TO_63 || number < -TWO_TO_63 || Double.isNaN(number)
        ? Long.MIN_VALUE
        : (long) number;
  }

  /** {@code "5.00"} counts as {@code "5"}. */
  private static String withoutZeroFraction(String text) {
    int end = text.length();
    while (end > 0 && text.charAt(end - 1) == '0') {
      end--;
    }
    boolean zeroFraction = end > 0 && end < text.length() && text.charAt(end - 1) == '.';
    return zeroFraction ? text.substring(0, end - 1) : text;
  }

  /** The value as a float64. */
  static double real(@Nullable Object value) {
    return switch (value) {
      case Double n -> n;
      case GoInteger n ->
          n.kind() == Kind.UINT64 || n.kind() == Kind.UINT
              ? new BigDecimal(n.toString()).doubleValue()
              : (double) n.value();
      case Number n -> n.doubleValue();
      case Boolean b -> b ? 1 : 0;
      case String text -> GoNumbers.real(text).orElse(0.0);
      case null, default -> 0;
    };
  }
}
