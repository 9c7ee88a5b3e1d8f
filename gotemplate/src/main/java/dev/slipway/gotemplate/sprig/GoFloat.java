package dev.slipway.gotemplate.sprig;

import java.math.BigDecimal;

/** Writes floating point numbers with the fewest digits that give the number back. */
final class GoFloat {
  private GoFloat() {}

  /** As encoding/json writes a float64. */
  static String json(double number) {
    return json(Double.toString(number), Math.abs(number), 1e-6, 1e21);
  }

  /** As encoding/json writes a float32. */
  static String json(float number) {
    return json(Float.toString(number), Math.abs(number), 1e-6f, 1e21f);
  }

  private static String json(String shortest, double size, double small, double large) {
    if (!Double.isFinite(size)) {
      return shortest;
    }
    if (size == 0) {
      return shortest.startsWith("-") ? "-0" : "0";
    }
    BigDecimal number = new BigDecimal(shortest).stripTrailingZeros();
    return size < small || size >= large ? exponential(number) : number.toPlainString();
  }

  /** As Go's {@code %g}, which whole numbers of moderate size do not need. */
  static String yaml(double number) {
    double size = Math.abs(number);
    if (number == Math.rint(number) && size < 1e18) {
      return Long.toString((long) number);
    }
    BigDecimal exact = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    if (size >= 1e-4 && size < 1e6) {
      return exact.toPlainString();
    }
    String text = exponential(exact);
    return text.charAt(text.length() - 2) == '-' ? text.replace("e-", "e-0") : text;
  }

  private static String exponential(BigDecimal number) {
    String digits = number.unscaledValue().abs().toString();
    int exponent = digits.length() - 1 - number.scale();
    return (number.signum() < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + (exponent < 0 ? "e-" : "e+")
        + (exponent >= 0 && exponent < 10 ? "0" : "")
        + Math.abs(exponent);
  }
}
