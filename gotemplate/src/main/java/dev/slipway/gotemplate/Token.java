package dev.slipway.gotemplate;

import java.util.Map;

/**
 * A word of the template language.
 *
 * @param kind what it is
 * @param text as written; for {@link Kind#ERROR} what is wrong
 * @param offset where it starts in the source
 * @param end where it ends, or where reading stopped
 */
record Token(Kind kind, String text, int offset, int end) {
  enum Kind {
    ERROR,
    EOF,
    TEXT,
    LEFT_DELIMITER,
    RIGHT_DELIMITER,
    SPACE,
    BOOL,
    NUMBER,
    IMAGINARY,
    CHARACTER,
    STRING,
    RAW_STRING,
    FIELD,
    VARIABLE,
    IDENTIFIER,
    DOT,
    NIL,
    LEFT_PAREN,
    RIGHT_PAREN,
    PIPE,
    ASSIGN,
    DECLARE,
    OTHER,
    BLOCK,
    BREAK,
    CONTINUE,
    DEFINE,
    ELSE,
    END,
    IF,
    RANGE,
    TEMPLATE,
    WITH;

    boolean keyword() {
      return compareTo(BLOCK) >= 0;
    }
  }

  static final Map<String, Kind> WORDS =
      Map.ofEntries(
          Map.entry("block", Kind.BLOCK),
          Map.entry("break", Kind.BREAK),
          Map.entry("continue", Kind.CONTINUE),
          Map.entry("define", Kind.DEFINE),
          Map.entry("else", Kind.ELSE),
          Map.entry("end", Kind.END),
          Map.entry("if", Kind.IF),
          Map.entry("range", Kind.RANGE),
          Map.entry("template", Kind.TEMPLATE),
          Map.entry("with", Kind.WITH),
          Map.entry("nil", Kind.NIL),
          Map.entry("true", Kind.BOOL),
          Map.entry("false", Kind.BOOL));

  /** How errors name it. */
  String described() {
    if (kind == Kind.EOF) {
      return "EOF";
    }
    if (kind.keyword()) {
      return "<" + text + ">";
    }
    return text.length() > 10 ? Quoted.quote(text.substring(0, 10)) + "..." : Quoted.quote(text);
  }
}
