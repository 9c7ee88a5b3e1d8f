package dev.slipway.gotemplate;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * A number or character as written. Which Go type it becomes depends on where it stands: {@code 1}
 * is an int, but also a float64 for a function that takes one.
 *
 * @param text as written
 * @param integer its value as int64; null if it has none
 * @param real its value as float64
 * @param ideal its value where no type is asked for; null if it does not fit an int
 */
record NumberLiteral(String text, @Nullable Long integer, double real, @Nullable Object ideal) {
  private static final BigInteger UNSIGNED_LIMIT = BigInteger.ONE.shiftLeft(64);

  static NumberLiteral ofCharacter(String text, int codePoint) {
    return new NumberLiteral(text, (long) codePoint, (double) codePoint, (long) codePoint);
  }

  /** Reads a number; throws with Go's words if it is none. */
  static NumberLiteral of(String text) {
    BigInteger whole = whole(text);
    if (whole != null && whole.bitLength() < 64) {
      return new NumberLiteral(text, whole.longValue(), whole.doubleValue(), whole.longValue());
    }
    if (whole != null
        && whole.signum() > 0
        && whole.compareTo(UNSIGNED_LIMIT) < 0
        && !text.startsWith("+")) {
      return new NumberLiteral(text, null, whole.doubleValue(), null);
    }
    Double real = real(text);
    if (real == null) {
      throw new IllegalArgumentException("illegal number syntax: " + Quoted.quote(text));
    }
    if (!text.matches(".*[.eEpP].*")) {
      throw new IllegalArgumentException("integer overflow: " + Quoted.quote(text));
    }
    boolean exact = (double) (long) (double) real == real && real < 0x1p63;
    return new NumberLiteral(text, exact ? (Long) (long) (double) real : null, real, real);
  }

  private static @Nullable BigInteger whole(String text) {
    String unsigned = text.startsWith("+") || text.startsWith("-") ? text.substring(1) : text;
    int radix = radix(unsigned);
    String digits = unsigned;
    if (radix != 10) {
      digits = unsigned.substring(Character.isLetter(unsigned.charAt(1)) ? 2 : 1);
    }
    digits = digits.replace("_", "");
    if (digits.isEmpty() || !underscoresSeparateDigits(unsigned)) {
      return null;
    }
    for (int i = 0; i < digits.length(); i++) {
      if (Character.digit(digits.charAt(i), radix) < 0) {
        return null;
      }
    }
    if (digits.length() > 70) {
      return null;
    }
    BigInteger value = new BigInteger(digits, radix);
    return text.startsWith("-") ? value.negate() : value;
  }

  private static int radix(String unsigned) {
    if (unsigned.length() < 2 || unsigned.charAt(0) != '0') {
      return 10;
    }
    return switch (unsigned.charAt(1)) {
      case 'x', 'X' -> 16;
      case 'b', 'B' -> 2;
      default -> 8;
    };
  }

  private static @Nullable Double real(String text) {
    String unsigned = text.startsWith("+") || text.startsWith("-") ? text.substring(1) : text;
    if (!underscoresSeparateDigits(unsigned)) {
      return null;
    }
    String plain = text.replace("_", "");
    boolean hex = plain.matches("[+-]?0[xX].*");
    String shape =
        hex
            ? "[+-]?0[xX]([0-9a-fA-F]+\\.?[0-9a-fA-F]*|\\.[0-9a-fA-F]+)[pP][+-]?[0-9]+"
            : "[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?";
    if (!plain.matches(shape)) {
      return null;
    }
    double value = Double.parseDouble(plain);
    return Double.isInfinite(value) ? null : (Double) value;
  }

  /** An underscore stands between digits, or between the prefix of a base and a digit. */
  private static boolean underscoresSeparateDigits(String unsigned) {
    int radix = radix(unsigned) == 16 ? 16 : 10;
    char before = '_';
    for (int i = 0; i < unsigned.length(); i++) {
      char c = unsigned.charAt(i);
      boolean digit = i == 1 && "bBoOxX".indexOf(c) >= 0 || Character.digit(c, radix) >= 0;
      char now = digit ? '0' : c == '_' ? '_' : '!';
      if (i > 0 && now == '_' && before != '0' || i > 0 && before == '_' && now != '0') {
        return false;
      }
      before = now;
    }
    return unsigned.indexOf('_') < 0 || before != '_' && unsigned.charAt(0) != '_';
  }
}
