package dev.slipway.gotemplate.regex;

import dev.slipway.gotemplate.regex.RegexSyntaxException.Reason;

/** Reads what begins with a backslash. */
final class Escape {
  private final Scanner in;

  Escape(Scanner in) {
    this.in = in;
  }

  /** The character that the escape at this place stands for. */
  int character() {
    int start = in.at++;
    if (in.done()) {
      throw new RegexSyntaxException(Reason.TRAILING_BACKSLASH, "");
    }
    int c = in.next();
    int value =
        switch (c) {
          case '0' -> octal(c);
          case '1', '2', '3', '4', '5', '6', '7' -> isOctal(in.peek(0)) ? octal(c) : -1;
          case 'x' -> hexadecimal();
          case 'a' -> 7;
          case 'f' -> '\f';
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'v' -> 11;
          default -> c < 128 && !Character.isLetterOrDigit(c) ? c : -1;
        };
    if (value < 0) {
      throw in.error(Reason.INVALID_ESCAPE, start);
    }
    return value;
  }

  private int octal(int first) {
    int value = first - '0';
    for (int i = 1; i < 3 && isOctal(in.peek(0)); i++) {
      value = value * 8 + in.next() - '0';
    }
    return value;
  }

  private static boolean isOctal(char c) {
    return c >= '0' && c <= '7';
  }

  private int hexadecimal() {
    if (in.done()) {
      return -1;
    }
    if (in.skip("{")) {
      return bracedHexadecimal();
    }
    int high = digit(in.next());
    int low = in.done() ? -1 : digit(in.next());
    return high < 0 || low < 0 ? -1 : high * 16 + low;
  }

  private int bracedHexadecimal() {
    int value = 0;
    int digits = 0;
    while (!in.done()) {
      int c = in.next();
      if (c == '}') {
        return digits == 0 ? -1 : value;
      }
      int digit = digit(c);
      value = value * 16 + digit;
      if (digit < 0 || value > Character.MAX_CODE_POINT) {
        return -1;
      }
      digits++;
    }
    return -1;
  }

  private static int digit(int c) {
    return c < 128 ? Character.digit(c, 16) : -1;
  }
}
