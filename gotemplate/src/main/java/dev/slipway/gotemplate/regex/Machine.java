package dev.slipway.gotemplate.regex;

/** Runs a program over a text. */
interface Machine {
  /**
   * Finds the leftmost match that begins at {@code from} or later, with the preferences of the
   * pattern, and fills {@code bounds} (start and end of the whole, then of each group that fits; -1
   * for one that took no part).
   */
  boolean find(int from, int[] bounds);

  /** The character before a place, or -1 at the start. */
  static int before(String text, int place) {
    return place > 0 ? character(text.codePointBefore(place)) : -1;
  }

  /** The character after a place, or -1 at the end. */
  static int after(String text, int place) {
    return place < text.length() ? character(text.codePointAt(place)) : -1;
  }

  /** Half a character, or a byte that is not UTF-8, counts as one replacement character. */
  private static int character(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE
        ? 0xFFFD
        : codePoint;
  }
}
