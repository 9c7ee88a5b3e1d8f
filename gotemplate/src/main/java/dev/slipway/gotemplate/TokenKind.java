package dev.slipway.gotemplate;

/** The kinds of words of the template language. */
enum TokenKind {
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
