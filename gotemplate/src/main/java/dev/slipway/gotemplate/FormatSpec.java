package dev.slipway.gotemplate;

/** Flags, width and precision of one printf directive. */
final class FormatSpec {
  boolean minus;
  boolean plus;
  boolean sharp;
  boolean space;
  boolean zero;

  /** {@code %+v}: structs with the names of their fields. */
  boolean plusV;

  /** {@code %#v}: values in Go's syntax. */
  boolean sharpV;

  int width = -1;
  int precision = -1;

  /** Takes a flag; false if the character is none. */
  boolean flag(char c) {
    switch (c) {
      case '#' -> sharp = true;
      case '0' -> zero = true;
      case '+' -> plus = true;
      case '-' -> minus = true;
      case ' ' -> space = true;
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Whether an integer is written with its digits and nothing else. */
  boolean plain() {
    return width < 0 && precision < 0 && !plus && !space;
  }

  /** For the verb v plus and sharp have meanings of their own. */
  void goSyntax() {
    sharpV = sharp;
    plusV = plus;
    sharp = false;
    plus = false;
  }

  /** Fills up to the width with blanks, or with zeros if asked for and allowed. */
  String padded(String text, Fill fill) {
    int missing = width - text.codePointCount(0, text.length());
    if (missing <= 0) {
      return text;
    }
    if (minus) {
      return text + " ".repeat(missing);
    }
    return (zero && fill == Fill.ZERO_ALLOWED ? "0" : " ").repeat(missing) + text;
  }

  /** The first characters of a text, if a precision limits them. */
  String truncated(String text) {
    if (precision < 0 || text.codePointCount(0, text.length()) <= precision) {
      return text;
    }
    return text.substring(0, text.offsetByCodePoints(0, precision));
  }

  /** Whether a text may be filled with zeros. */
  enum Fill {
    ZERO_ALLOWED,
    BLANKS
  }
}
