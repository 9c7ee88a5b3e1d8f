package dev.slipway.gotemplate.sprig;

import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;

/** Go's view of single characters, where it differs from Java's. */
final class Runes {
  private static final int REPLACEMENT = 0xFFFD;

  private Runes() {}

  static boolean isSpace(int c) {
    return c >= '\t' && c <= '\r'
        || c == ' '
        || c == 0x85
        || c == 0xA0
        || c == 0x1680
        || c >= 0x2000 && c <= 0x200A
        || c == 0x2028
        || c == 0x2029
        || c == 0x202F
        || c == 0x205F
        || c == 0x3000;
  }

  static boolean isUpper(int c) {
    return Character.getType(c) == Character.UPPERCASE_LETTER;
  }

  static boolean isLower(int c) {
    return Character.getType(c) == Character.LOWERCASE_LETTER;
  }

  static boolean isPunctuation(int c) {
    return switch (Character.getType(c)) {
      case Character.CONNECTOR_PUNCTUATION,
          Character.DASH_PUNCTUATION,
          Character.START_PUNCTUATION,
          Character.END_PUNCTUATION,
          Character.INITIAL_QUOTE_PUNCTUATION,
          Character.FINAL_QUOTE_PUNCTUATION,
          Character.OTHER_PUNCTUATION ->
          true;
      default -> false;
    };
  }

  static boolean isNumber(int c) {
    return switch (Character.getType(c)) {
      case Character.DECIMAL_DIGIT_NUMBER, Character.LETTER_NUMBER, Character.OTHER_NUMBER -> true;
      default -> false;
    };
  }

  /** The characters of a text; half a character or a byte that is not UTF-8 becomes U+FFFD. */
  static int[] of(String text) {
    return text.codePoints().map(Runes::valid).toArray();
  }

  static int valid(int c) {
    return c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE ? REPLACEMENT : c;
  }

  static String map(String text, IntUnaryOperator mapping) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints().map(Runes::valid).map(mapping).forEach(out::appendCodePoint);
    return out.toString();
  }

  static String string(int[] runes) {
    return new String(runes, 0, runes.length);
  }

  /** Without the characters at both ends that satisfy the condition. */
  static String trim(String text, IntPredicate unwanted) {
    int from = 0;
    int to = text.length();
    while (from < to && unwanted.test(valid(text.codePointAt(from)))) {
      from += Character.charCount(text.codePointAt(from));
    }
    while (to > from && unwanted.test(valid(text.codePointBefore(to)))) {
      to -= Character.charCount(text.codePointBefore(to));
    }
    return text.substring(from, to);
  }
}
