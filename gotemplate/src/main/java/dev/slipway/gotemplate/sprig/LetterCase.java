package dev.slipway.gotemplate.sprig;

/** Changes of letters between upper, lower and title case. */
final class LetterCase {
  private LetterCase() {}

  /** Every letter that starts a word in title case. */
  static String title(String text) {
    int[] runes = Runes.of(text);
    int previous = ' ';
    for (int i = 0; i < runes.length; i++) {
      int rune = runes[i];
      if (separates(previous)) {
        runes[i] = Character.toTitleCase(rune);
      }
      previous = rune;
    }
    return Runes.string(runes);
  }

  private static boolean separates(int c) {
    if (c < 128) {
      return !Character.isLetterOrDigit(c) && c != '_';
    }
    return !Character.isLetter(c) && !Character.isDigit(c) && Runes.isSpace(c);
  }

  /** The first letter of every word in lower case. */
  static String untitle(String text) {
    int[] runes = Runes.of(text);
    boolean start = true;
    for (int i = 0; i < runes.length; i++) {
      boolean space = Runes.isSpace(runes[i]);
      if (start && !space) {
        runes[i] = Character.toLowerCase(runes[i]);
      }
      start = space;
    }
    return Runes.string(runes);
  }

  /** Upper becomes lower; lower becomes upper, or title at the start of a word. */
  static String swap(String text) {
    int[] runes = Runes.of(text);
    boolean start = true;
    for (int i = 0; i < runes.length; i++) {
      int rune = runes[i];
      if (Runes.isUpper(rune) || Character.isTitleCase(rune)) {
        runes[i] = Character.toLowerCase(rune);
        start = false;
      } else if (Runes.isLower(rune)) {
        runes[i] = start ? Character.toTitleCase(rune) : Character.toUpperCase(rune);
        start = false;
      } else {
        start = Runes.isSpace(rune);
      }
    }
    return Runes.string(runes);
  }

  /** Words separated by space, underscore or hyphen, joined with capitals. */
  static String camel(String text) {
    int[] runes = Runes.of(text);
    StringBuilder out = new StringBuilder(runes.length);
    int i = 0;
    while (i < runes.length && isConnector(runes[i])) {
      out.appendCodePoint(runes[i++]);
    }
    if (i == runes.length) {
      return connectorsOnly(runes, out);
    }
    boolean capitals = Runes.isUpper(runes[i]);
    int current = Character.toUpperCase(runes[i++]);
    for (; i < runes.length; i++) {
      int previous = current;
      current = runes[i];
      if (isConnector(previous) && !isConnector(current)) {
        capitals = Runes.isUpper(current);
        current = Character.toUpperCase(current);
        continue;
      }
      if (!isConnector(previous) && capitals) {
        capitals = Runes.isUpper(current);
        current = capitals ? Character.toLowerCase(current) : current;
      }
      out.appendCodePoint(previous);
    }
    return out.appendCodePoint(current).toString();
  }

  /** Sprig repeats the last of a text that has nothing but connectors. */
  private static String connectorsOnly(int[] runes, StringBuilder out) {
    return runes.length == 0 ? "" : out.appendCodePoint(runes[runes.length - 1]).toString();
  }

  static boolean isConnector(int c) {
    return c == '-' || c == '_' || Runes.isSpace(c);
  }
}
