package dev.slipway.gotemplate.sprig;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads numbers as Go's strconv does. */
final class GoNumbers {
  private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(?:[0-9]++\\.?[0-9]*+|\\.[0-9]++)(?:[eE][+-]?[0-9]++)?");
  private static final Pattern HEXADECIMAL =
      Pattern.compile(
          "[+-]?0[xX](?:[0-9a-fA-F]++\\.?[0-9a-fA-F]*+|\\.[0-9a-fA-F]++)[pP][+-]?[0-9]++");
  private static final Pattern NOT_FINITE =
      Pattern.compile("([+-]?)(?:inf|infinity)|nan", Pattern.CASE_INSENSITIVE);

  private GoNumbers() {}

  /** An integer in the given base, of any size; base 0 reads prefixes and underscores. */
  static Optional<BigInteger> integer(String text, int base) {
    boolean negative = text.startsWith("-");
    String digits = negative || text.startsWith("+") ? text.substring(1) : text;
    int radix = base;
    if (base == 0) {
      radix = radixOf(digits);
      if (!underscoresFit(digits)) {
        return Optional.empty();
      }
      digits = digits.substring(prefixLength(digits)).replace("_", "");
    }
    if (digits.isEmpty() || digits.length() > 100 || !areDigits(digits, radix)) {
      return Optional.empty();
    }
    BigInteger value = new BigInteger(digits, radix);
    return Optional.of(negative ? value.negate() : value);
  }

  /** An integer that fits into 64 bits. */
  static Optional<Long> int64(String text, int base) {
    return integer(text, base)
        .filter(n -> n.compareTo(LEAST) >= 0 && n.compareTo(MOST) <= 0)
        .map(BigInteger::longValue);
  }

  /** An integer, or the nearest one that fits into 64 bits. */
  static Optional<Long> nearest(String text, int base) {
    return integer(text, base).map(n -> n.max(LEAST).min(MOST).longValue());
  }

  private static int radixOf(String digits) {
    if (!digits.startsWith("0") || digits.length() < 2) {
      return 10;
    }
    return switch (digits.charAt(1)) {
      case 'x', 'X' -> 16;
      case 'b', 'B' -> 2;
      default -> 8;
    };
  }

  private static int prefixLength(String digits) {
    boolean letter = digits.length() > 1 && "xXbBoO".indexOf(digits.charAt(1)) >= 0;
    return digits.startsWith("0") && letter
        ? 2
        : digits.startsWith("0") && radixOf(digits) == 8 ? 1 : 0;
  }

  private static boolean areDigits(String text, int radix) {
    return text.chars().allMatch(c -> c < 128 && Character.digit(c, radix) >= 0);
  }

  /** A float64; empty when it is none or too large for one. */
  static Optional<Double> real(String text) {
    if (text.length() > 10_000) {
      return Optional.empty();
    }
    var special = NOT_FINITE.matcher(text);
    if (special.matches()) {
      boolean nan = special.group().equalsIgnoreCase("nan");
      double infinity = "-".equals(special.group(1)) ? -1 / 0.0 : 1 / 0.0;
      return Optional.of(nan ? Double.NaN : infinity);
    }
    String plain = text.replace("_", "");
    if (!DECIMAL.matcher(plain).matches() && !HEXADECIMAL.matcher(plain).matches()) {
      return Optional.empty();
    }
    String unsigned = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
    return underscoresFit(unsigned)
        ? Optional.of(Double.parseDouble(plain)).filter(d -> !d.isInfinite())
        : Optional.empty();
  }

  /** Whether every underscore stands between two digits, or between a prefix and a digit. */
  private static boolean underscoresFit(String text) {
    boolean prefixed =
        text.length() > 1 && text.startsWith("0") && "xXbBoO".indexOf(text.charAt(1)) >= 0;
    for (int i = text.indexOf('_'); i >= 0; i = text.indexOf('_', i + 1)) {
      boolean before = i > 0 && (isDigit(text.charAt(i - 1)) || prefixed && i == 2);
      if (!before || i + 1 == text.length() || !isDigit(text.charAt(i + 1))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isDigit(char c) {
    return c < 128 && Character.digit(c, 16) >= 0;
  }
}
