package dev.slipway.gotemplate;

import java.util.Map;

/**
 * A word of the template language.
 *
 * @param kind what it is
 * @param text as written; for {@link TokenKind#ERROR} what is wrong
 * @param offset where it starts in the source
 * @param end where it ends, or where reading stopped
 */
record Token(TokenKind kind, String text, int offset, int end) {

  static final Map<String, TokenKind> WORDS =
      Map.ofEntries(
          Map.entry("block", TokenKind.BLOCK),
          Map.entry("break", TokenKind.BREAK),
          Map.entry("continue", TokenKind.CONTINUE),
          Map.entry("define", TokenKind.DEFINE),
          Map.entry("else", TokenKind.ELSE),
          Map.entry("end", TokenKind.END),
          Map.entry("if", TokenKind.IF),
          Map.entry("range", TokenKind.RANGE),
          Map.entry("template", TokenKind.TEMPLATE),
          Map.entry("with", TokenKind.WITH),
          Map.entry("nil", TokenKind.NIL),
          Map.entry("true", TokenKind.BOOL),
          Map.entry("false", TokenKind.BOOL));

  /** How errors name it. */
  String described() {
    if (kind == TokenKind.EOF) {
      return "EOF";
    }
    if (kind.keyword()) {
      return "<" + text + ">";
    }
    return text.length() > 10 ? Quoted.quote(text.substring(0, 10)) + "..." : Quoted.quote(text);
  }
}
