package dev.slipway.engine.intake;

import java.math.BigInteger;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The YAML 1.2 core schema: what a plain scalar means. {@code no}, {@code on} and {@code 1_000} are
 * strings; {@code 017} is seventeen; integers stay exact whatever their length.
 */
final class CoreScalar {
  /** Longer numbers cost more to convert than they can be worth. */
  static final int LONGEST_NUMBER = 1_000;

  private static final Pattern INTEGER = Pattern.compile("[-+]?[0-9]+");
  private static final Pattern OCTAL = Pattern.compile("0o[0-7]+");
  private static final Pattern HEX = Pattern.compile("0x[0-9a-fA-F]+");
  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  private static final Pattern NOT_FINITE =
      Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

  private CoreScalar() {}

  /** A number that has no exact or finite value here. */
  static final class NotRepresentable extends Exception {
    private static final long serialVersionUID = 1L;

    NotRepresentable(String message) {
      super(message);
    }
  }

  static @Nullable Object plain(String text) throws NotRepresentable {
    return switch (text) {
      case "", "~", "null", "Null", "NULL" -> null;
      case "true", "True", "TRUE" -> true;
      case "false", "False", "FALSE" -> false;
      default -> startsLikeNumber(text) ? number(text) : text;
    };
  }

  static Object number(String text) throws NotRepresentable {
    if (NOT_FINITE.matcher(text).matches()) {
      throw new NotRepresentable("'" + text + "' has no value in JSON");
    }
    if (text.length() > LONGEST_NUMBER) {
      return tooLongNumberOrText(text);
    }
    if (INTEGER.matcher(text).matches()) {
      return integer(new BigInteger(text.startsWith("+") ? text.substring(1) : text));
    }
    if (OCTAL.matcher(text).matches()) {
      return integer(new BigInteger(text.substring(2), 8));
    }
    if (HEX.matcher(text).matches()) {
      return integer(new BigInteger(text.substring(2), 16));
    }
    return FLOAT.matcher(text).matches() ? finite(text) : text;
  }

  private static Object tooLongNumberOrText(String text) throws NotRepresentable {
    boolean digits = text.chars().allMatch(c -> c >= '0' && c <= '9' || "+-.eExo".indexOf(c) >= 0);
    if (digits) {
      throw new NotRepresentable("a number may have at most " + LONGEST_NUMBER + " characters");
    }
    return text;
  }

  private static Object integer(BigInteger value) {
    return value.bitLength() < 64 ? (Object) value.longValueExact() : value;
  }

  private static Object finite(String text) throws NotRepresentable {
    double value = Double.parseDouble(text);
    if (Double.isInfinite(value)) {
      throw new NotRepresentable("the number " + text + " is too large");
    }
    return value;
  }

  private static boolean startsLikeNumber(String text) {
    char first = text.charAt(0);
    return first >= '0' && first <= '9' || first == '-' || first == '+' || first == '.';
  }
}
