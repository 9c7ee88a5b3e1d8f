package dev.slipway.gotemplate;

import dev.slipway.gotemplate.FormatSpec.Fill;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Floating point numbers as Go's strconv and fmt write them.
 *
 * @param value the number
 * @param shortest the shortest decimal that reads back as the same number, from Java
 * @param bits 32 or 64
 */
record FloatText(double value, String shortest, int bits) {
  private static final int SHORTEST_TEXT_EXPONENT = 6;

  static FloatText of(double value) {
    return new FloatText(value, Double.toString(value), 64);
  }

  static FloatText of(float value) {
    return new FloatText(value, Float.toString(value), 32);
  }

  /** The text with sign, padding and, if sharp, all digits. */
  String format(FormatSpec spec, char verb, int standardPrecision) {
    int precision = spec.precision >= 0 ? spec.precision : standardPrecision;
    String text = text(verb, precision);
    boolean number = !Double.isNaN(value) && !Double.isInfinite(value);
    String sign = text.startsWith("-") ? "-" : spec.plus ? "+" : spec.space ? " " : "";
    String unsigned = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
    if (Double.isInfinite(value) && sign.isEmpty()) {
      sign = "+";
    }
    if (!number) {
      return spec.padded(sign + unsigned, Fill.BLANKS);
    }
    if (spec.sharp && verb != 'b') {
      unsigned = sharp(unsigned, verb, precision);
    }
    if (spec.zero && !spec.minus) {
      int missing = spec.width - sign.length() - unsigned.length();
      return sign + "0".repeat(Math.max(0, missing)) + unsigned;
    }
    return spec.padded(sign + unsigned, Fill.BLANKS);
  }

  /** Always a decimal point, and for %g the digits that it would leave out. */
  private static String sharp(String unsigned, char verb, int precision) {
    boolean hex = verb == 'x' || verb == 'X';
    int exponent = unsigned.length();
    for (int i = 0; i < unsigned.length(); i++) {
      char c = Character.toLowerCase(unsigned.charAt(i));
      if (c == 'p' || c == 'e' && !hex) {
        exponent = i;
        break;
      }
    }
    String digits = unsigned.substring(0, exponent);
    int wanted = verb == 'g' || verb == 'G' || verb == 'x' ? (precision < 0 ? 6 : precision) : 0;
    boolean significant = false;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      significant |= c != '0' && c != '.';
      wanted -= significant && c != '.' ? 1 : 0;
    }
    if (digits.indexOf('.') < 0) {
      wanted -= digits.equals("0") ? 1 : 0;
      digits += ".";
    }
    return digits + "0".repeat(Math.max(0, wanted)) + unsigned.substring(exponent);
  }

  /** Go's strconv.FormatFloat; a negative precision asks for the shortest text. */
  String text(char verb, int precision) {
    if (Double.isNaN(value)) {
      return "NaN";
    }
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    return sign
        + switch (verb) {
          case 'e', 'E' ->
              exponential(decimal(precision < 0 ? -1 : precision + 1), verb, precision);
          case 'f' -> fixed(precision);
          case 'g', 'G' -> general(verb, precision);
          case 'b' -> HexFloatText.binary(value, bits);
          default -> HexFloatText.hexadecimal(value, verb, precision);
        };
  }

  /**
   * Digits of a decimal number.
   *
   * @param digits significant digits without zeros at either end
   * @param point where the decimal point stands, counted from before the first digit
   */
  private record Decimal(String digits, int point) {
    static Decimal of(BigDecimal number) {
      if (number.signum() == 0) {
        return new Decimal("", 0);
      }
      BigDecimal stripped = number.stripTrailingZeros();
      String digits = stripped.unscaledValue().toString();
      return new Decimal(digits, digits.length() - stripped.scale());
    }
  }

  /** Rounded to a number of significant digits; the shortest digits if that is negative. */
  private Decimal decimal(int significant) {
    if (significant < 0) {
      return shortestDecimal();
    }
    BigDecimal exact = new BigDecimal(Math.abs(value));
    return Decimal.of(
        significant == 0
            ? exact
            : exact.round(new MathContext(significant, RoundingMode.HALF_EVEN)));
  }

  /** Java writes at least two digits, so that the tiniest numbers may have a shorter text. */
  private Decimal shortestDecimal() {
    BigDecimal decimal = new BigDecimal(shortest).abs();
    if (bits == 64 && value != 0 && Math.abs(value) < 1e-320) {
      BigDecimal one = decimal.round(new MathContext(1, RoundingMode.HALF_EVEN));
      return Decimal.of(one.doubleValue() == Math.abs(value) ? one : decimal);
    }
    return Decimal.of(decimal);
  }

  private static String exponential(Decimal decimal, char verb, int precision) {
    String digits = decimal.digits.isEmpty() ? "0" : decimal.digits;
    int fraction = precision < 0 ? digits.length() - 1 : precision;
    StringBuilder text = new StringBuilder().append(digits.charAt(0));
    if (fraction > 0) {
      text.append('.').append(digits, 1, digits.length());
      text.append("0".repeat(Math.max(0, fraction - digits.length() + 1)));
    }
    int exponent = decimal.digits.isEmpty() ? 0 : decimal.point - 1;
    text.append(verb).append(exponent < 0 ? '-' : '+');
    return text.append(Math.abs(exponent) < 10 ? "0" : "").append(Math.abs(exponent)).toString();
  }

  private String fixed(int precision) {
    if (precision < 0) {
      Decimal decimal = shortestDecimal();
      return plain(decimal);
    }
    return new BigDecimal(Math.abs(value))
        .setScale(precision, RoundingMode.HALF_EVEN)
        .toPlainString();
  }

  private static String plain(Decimal decimal) {
    String digits = decimal.digits;
    if (digits.isEmpty()) {
      return "0";
    }
    if (decimal.point <= 0) {
      return "0." + "0".repeat(-decimal.point) + digits;
    }
    if (decimal.point >= digits.length()) {
      return digits + "0".repeat(decimal.point - digits.length());
    }
    return digits.substring(0, decimal.point) + "." + digits.substring(decimal.point);
  }

  /** Go writes an exponent below -4 and from the precision on; for the shortest text from 6 on. */
  private String general(char verb, int precision) {
    int significant = precision == 0 ? 1 : precision;
    Decimal decimal = decimal(significant);
    int count = decimal.digits.length();
    int limit = precision < 0 ? SHORTEST_TEXT_EXPONENT : significant;
    if (precision >= 0 && limit > count && count >= decimal.point) {
      limit = count;
    }
    int exponent = decimal.point - 1;
    if (count > 0 && (exponent < -4 || exponent >= limit)) {
      return exponential(decimal, verb == 'g' ? 'e' : 'E', -1);
    }
    return plain(decimal);
  }
}
