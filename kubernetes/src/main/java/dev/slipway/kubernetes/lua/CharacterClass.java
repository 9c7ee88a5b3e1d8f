package dev.slipway.kubernetes.lua;

/** Classes of characters in patterns: {@code %a}, {@code %d} and the like, in ASCII. */
final class CharacterClass {
  private CharacterClass() {}

  /** Whether a byte is in the class of this letter; another character only stands for itself. */
  static boolean matches(int c, int letter) {
    return switch (letter) {
      case 'a' -> isLetter(c);
      case 'A' -> !isLetter(c);
      case 'd' -> isDigit(c);
      case 'D' -> !isDigit(c);
      case 'l' -> c >= 'a' && c <= 'z';
      case 'L' -> c < 'a' || c > 'z';
      case 'u' -> c >= 'A' && c <= 'Z';
      case 'U' -> c < 'A' || c > 'Z';
      case 's' -> isSpace(c);
      case 'S' -> !isSpace(c);
      case 'w' -> isLetter(c) || isDigit(c);
      case 'W' -> !isLetter(c) && !isDigit(c);
      case 'p' -> isPunctuation(c);
      case 'P' -> !isPunctuation(c);
      case 'c' -> isControl(c);
      case 'C' -> !isControl(c);
      case 'x' -> isHex(c);
      case 'X' -> !isHex(c);
      case 'z' -> c == 0;
      case 'Z' -> c != 0;
      default -> letter == c;
    };
  }

  private static boolean isLetter(int c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private static boolean isHex(int c) {
    return isDigit(c) || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F';
  }

  private static boolean isSpace(int c) {
    return c == ' ' || c >= 9 && c <= 13;
  }

  private static boolean isControl(int c) {
    return c < 32 || c == 127;
  }

  private static boolean isPunctuation(int c) {
    return c > 32 && c < 127 && !isLetter(c) && !isDigit(c);
  }
}
