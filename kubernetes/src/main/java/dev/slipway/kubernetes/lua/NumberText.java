package dev.slipway.kubernetes.lua;

import java.math.BigDecimal;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;

/** Numbers as the interpreter of Argo CD writes them: all digits that tell them apart, no more. */
final class NumberText {
  private static final int LARGEST_PLAIN = 6;
  private static final int SMALLEST_PLAIN = -4;

  private NumberText() {}

  static LuaString of(LuaValue number) {
    return LuaValue.valueOf(of(number.todouble()));
  }

  static String of(double number) {
    if (number == (double) (long) number && Math.abs(number) < Long.MAX_VALUE) {
      return Long.toString((long) number);
    }
    if (Double.isNaN(number)) {
      return "NaN";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "+Inf" : "-Inf";
    }
    BigDecimal exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    int exponent = exact.precision() - exact.scale() - 1;
    return exponent < SMALLEST_PLAIN || exponent >= LARGEST_PLAIN
        ? scientific(exact, exponent)
        : exact.toPlainString();
  }

  private static String scientific(BigDecimal exact, int exponent) {
    String digits = exact.unscaledValue().abs().toString();
    String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
    String sign = exact.signum() < 0 ? "-" : "";
    return sign + digits.charAt(0) + fraction + "e" + String.format("%+03d", exponent);
  }
}
