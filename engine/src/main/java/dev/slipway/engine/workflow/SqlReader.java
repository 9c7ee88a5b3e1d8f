package dev.slipway.engine.workflow;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Follows SQL text and says what the end of what was read so far stands in. */
final class SqlReader {
  private static final Pattern TAG = Pattern.compile("\\$([A-Za-z_][A-Za-z0-9_]*)?\\$");

  /** Where a value would stand. */
  enum Place {
    /** Where a value may be bound. */
    CODE("", ""),
    STRING("a string literal", "Remove the quotes: the value is bound as a parameter of its own."),
    NAME("a quoted name", "Remove the quotes and write {{ ident ... }}."),
    COMMENT("a comment", "Take it out of the comment."),
    DOLLAR_STRING(
        "a dollar-quoted string", "Write it outside, or put the statement into a function.");

    final String words;
    final String advice;

    Place(String words, String advice) {
      this.words = words;
      this.advice = advice;
    }
  }

  private Place place = Place.CODE;
  private String end = "";
  private int comments;
  private boolean escapes;
  private int marks;
  private boolean unclear;

  Place place() {
    return place;
  }

  /** How many {@code ?} the author wrote for values of {@code params}. */
  int marks() {
    return marks;
  }

  /** Whether databases disagree where a string ends: a backslash before its quote. */
  boolean isUnclear() {
    return unclear;
  }

  void read(String text) {
    int at = 0;
    while (at < text.length()) {
      at =
          switch (place) {
            case CODE -> code(text, at);
            case STRING, NAME -> quoted(text, at);
            case COMMENT -> comment(text, at);
            case DOLLAR_STRING -> closed(text, at);
          };
    }
  }

  private int code(String text, int at) {
    Matcher tag = TAG.matcher(text).region(at, text.length());
    char c = text.charAt(at);
    if (c == '\'') {
      escapes = at > 0 && (text.charAt(at - 1) == 'E' || text.charAt(at - 1) == 'e');
      return open(Place.STRING, "'", at + 1);
    }
    if (c == '"' || c == '`') {
      return open(Place.NAME, Character.toString(c), at + 1);
    }
    if (text.startsWith("--", at)) {
      return open(Place.COMMENT, "\n", at + 2);
    }
    if (text.startsWith("/*", at)) {
      comments = 1;
      return open(Place.COMMENT, "*/", at + 2);
    }
    if (c == '$'
        && tag.lookingAt()
        && !(at > 0 && Character.isLetterOrDigit(text.charAt(at - 1)))) {
      return open(Place.DOLLAR_STRING, tag.group(), tag.end());
    }
    if (text.startsWith("??", at)) {
      return at + 2;
    }
    marks += c == '?' ? 1 : 0;
    return at + 1;
  }

  private int open(Place opened, String closer, int next) {
    place = opened;
    end = closer;
    return next;
  }

  private int quoted(String text, int at) {
    if (text.charAt(at) == '\\' && place == Place.STRING) {
      boolean quote = text.startsWith("'", at + 1);
      unclear |= quote && !escapes;
      return at + (escapes || quote ? 2 : 1);
    }
    return closed(text, at);
  }

  private int comment(String text, int at) {
    if (end.equals("*/") && text.startsWith("/*", at)) {
      comments++;
      return at + 2;
    }
    if (end.equals("*/") && text.startsWith("*/", at) && comments > 1) {
      comments--;
      return at + 2;
    }
    return closed(text, at);
  }

  private int closed(String text, int at) {
    if (text.startsWith(end, at)) {
      place = Place.CODE;
      return at + end.length();
    }
    return at + 1;
  }
}
