package dev.slipway.gotemplate;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Locale;

/** Floating point numbers with a binary exponent, as Go writes them. */
final class HexFloatText {
  private HexFloatText() {}

  static String binary(double value, int bits) {
    long mantissa;
    int exponent;
    if (bits == 32) {
      int raw = Float.floatToRawIntBits((float) Math.abs(value));
      mantissa = raw >> 23 == 0 ? raw & 0x7fffff : raw & 0x7fffff | 0x800000;
      exponent = Math.max(raw >> 23, 1) - 150;
    } else {
      long raw = Double.doubleToRawLongBits(Math.abs(value));
      mantissa = raw & 0xfffffffffffffL | (raw >> 52 == 0 ? 0 : 1L << 52);
      exponent = (int) Math.max(raw >> 52, 1) - 1075;
    }
    return mantissa + "p" + (exponent < 0 ? "" : "+") + exponent;
  }

  static String hexadecimal(double value, char verb, int precision) {
    double magnitude = Math.abs(value);
    if (magnitude == 0) {
      String zeros = precision > 0 ? "." + "0".repeat(precision) : "";
      return verb == 'x' ? "0x0" + zeros + "p+00" : "0X0" + zeros + "P+00";
    }
    int exponent = Math.getExponent(magnitude);
    long mantissa = Double.doubleToRawLongBits(magnitude) & 0xfffffffffffffL | 1L << 52;
    if (exponent < Double.MIN_EXPONENT) {
      mantissa &= ~(1L << 52);
      int shift = Long.numberOfLeadingZeros(mantissa) - 11;
      mantissa <<= shift;
      exponent = Double.MIN_EXPONENT - shift;
    }
    BigInteger digits = BigInteger.valueOf(mantissa);
    if (precision >= 0 && precision < 13) {
      BigDecimal scaled =
          new BigDecimal(mantissa).divide(new BigDecimal(1L << (13 - precision) * 4));
      digits =
          scaled.setScale(0, RoundingMode.HALF_EVEN).toBigInteger().shiftLeft((13 - precision) * 4);
      exponent += digits.bitLength() - 53;
    }
    String fraction = digits.toString(16).substring(1);
    fraction =
        precision < 0
            ? fraction.replaceAll("0+$", "")
            : (fraction + "0".repeat(Math.max(0, precision - 13))).substring(0, precision);
    String text =
        "0x1"
            + (fraction.isEmpty() ? "" : "." + fraction)
            + "p"
            + (exponent < 0 ? "-" : "+")
            + (Math.abs(exponent) < 10 ? "0" : "")
            + Math.abs(exponent);
    return verb == 'x' ? text : text.toUpperCase(Locale.ROOT);
  }
}
