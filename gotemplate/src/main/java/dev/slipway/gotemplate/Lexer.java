package dev.slipway.gotemplate;

import dev.slipway.gotemplate.Settings.FieldNames;
import java.util.ArrayList;
import java.util.List;

/** Cuts the text of a template into tokens; stops at the first error, which is a token too. */
final class Lexer {
  private static final String BLANKS = " \t\r\n";
  private static final int END = -1;

  private final String text;
  private final String left;
  private final String right;
  private final FieldNames fieldNames;
  private final Functions functions;
  private final List<Token> tokens = new ArrayList<>();
  private int at;
  private int start;
  private int parens;
  private boolean insideAction;

  private Lexer(String text, Settings settings) {
    this.text = text;
    this.left = settings.leftDelimiter();
    this.right = settings.rightDelimiter();
    this.fieldNames = settings.fieldNames();
    this.functions = settings.functions();
  }

  static List<Token> tokens(String text, Settings settings) {
    Lexer lexer = new Lexer(text, settings);
    boolean more = true;
    while (more) {
      more = lexer.literal() && lexer.action();
    }
    return lexer.tokens;
  }

  /** Text up to the next action; false at the end of the template. */
  private boolean literal() {
    int open = text.indexOf(left, at);
    if (open < 0) {
      at = text.length();
      if (at > start) {
        emit(TokenKind.TEXT);
      }
      emit(TokenKind.EOF);
      return false;
    }
    int inside = open + left.length();
    boolean trims = blankAt(inside + 1) && charAt(inside) == '-';
    at = open;
    while (trims && at > start && blankAt(at - 1)) {
      at--;
    }
    if (at > start) {
      emit(TokenKind.TEXT);
    }
    start = open;
    at = inside;
    int content = inside + (trims ? 2 : 0);
    if (text.startsWith("/*", content)) {
      return comment(content);
    }
    emit(TokenKind.LEFT_DELIMITER);
    start = at = content;
    insideAction = true;
    parens = 0;
    return true;
  }

  /** A comment leaves no token; what follows it is text again. */
  private boolean comment(int content) {
    start = content;
    int close = text.indexOf("*/", content + 2);
    if (close < 0) {
      return error("unclosed comment");
    }
    at = close + 2;
    if (!atRightDelimiter()) {
      return error("comment ends before closing delimiter");
    }
    skipRightDelimiter();
    return true;
  }

  private boolean atRightDelimiter() {
    return text.startsWith(right, at) || atTrimmingDelimiter(at);
  }

  private boolean atTrimmingDelimiter(int index) {
    return blankAt(index) && charAt(index + 1) == '-' && text.startsWith(right, index + 2);
  }

  /** Steps over the delimiter and, if it trims, over the blanks that follow it. */
  private void skipRightDelimiter() {
    boolean trims = atTrimmingDelimiter(at);
    at += (trims ? 2 : 0) + right.length();
    while (trims && blankAt(at)) {
      at++;
    }
    start = at;
  }

  /** The tokens of one action; false after an error. */
  private boolean action() {
    if (!insideAction) {
      return true;
    }
    while (!atRightDelimiter()) {
      if (!word()) {
        return false;
      }
    }
    if (parens > 0) {
      return error("unclosed left paren");
    }
    int delimiter = atTrimmingDelimiter(at) ? at + 2 : at;
    tokens.add(new Token(TokenKind.RIGHT_DELIMITER, right, delimiter, delimiter + right.length()));
    skipRightDelimiter();
    insideAction = false;
    return true;
  }

  private boolean word() {
    int c = next();
    return switch (c) {
      case END -> error("unclosed action");
      case ' ', '\t', '\r', '\n' -> space();
      case '=' -> emit(TokenKind.ASSIGN);
      case ':' -> next() == '=' ? emit(TokenKind.DECLARE) : error("expected :=");
      case '|' -> emit(TokenKind.PIPE);
      case '"' -> quoted('"', TokenKind.STRING, "unterminated quoted string");
      case '\'' -> quoted('\'', TokenKind.CHARACTER, "unterminated character constant");
      case '`' -> rawString();
      case '$' -> atTerminator() ? emit(TokenKind.VARIABLE) : name(TokenKind.VARIABLE);
      case '.' ->
          digitAt(at) ? number() : atTerminator() ? emit(TokenKind.DOT) : name(TokenKind.FIELD);
      case '(' -> {
        parens++;
        yield emit(TokenKind.LEFT_PAREN);
      }
      case ')' -> --parens < 0 ? error("unexpected right paren") : emit(TokenKind.RIGHT_PAREN);
      default -> numberOrName(c);
    };
  }

  private boolean numberOrName(int c) {
    if (c == '+' || c == '-' || (c >= '0' && c <= '9')) {
      return number();
    }
    if (alphanumeric(c)) {
      return name(TokenKind.IDENTIFIER);
    }
    if (c > ' ' && c < 0x7f) {
      return emit(TokenKind.OTHER);
    }
    return error("unrecognized character in action: " + Quoted.unicode(c));
  }

  /** A run of blanks, except the one that belongs to a trimming delimiter. */
  private boolean space() {
    while (blankAt(at)) {
      at++;
    }
    if (atTrimmingDelimiter(at - 1)) {
      at--;
    }
    return at == start || emit(TokenKind.SPACE);
  }

  private boolean quoted(char quote, TokenKind kind, String unterminated) {
    while (true) {
      int c = next();
      if (c == '\\') {
        c = next() == '\n' ? '\n' : 0;
      }
      if (c == END || c == '\n' || at > text.length()) {
        return error(unterminated);
      }
      if (c == quote) {
        return emit(kind);
      }
    }
  }

  private boolean rawString() {
    int close = text.indexOf('`', at);
    if (close < 0) {
      return error("unterminated raw quoted string");
    }
    at = close + 1;
    return emit(TokenKind.RAW_STRING);
  }

  private boolean name(TokenKind kind) {
    while (partOfName(kind)) {
      next();
    }
    if (!atTerminator()) {
      return error("bad character " + Quoted.unicode(peek()));
    }
    if (kind != TokenKind.IDENTIFIER) {
      return emit(kind);
    }
    TokenKind word = Token.WORDS.getOrDefault(text.substring(start, at), kind);
    boolean loop = word == TokenKind.BREAK || word == TokenKind.CONTINUE;
    return emit(loop && functions.find(text.substring(start, at)).isPresent() ? kind : word);
  }

  private boolean partOfName(TokenKind kind) {
    return alphanumeric(peek())
        || kind == TokenKind.FIELD
            && fieldNames == FieldNames.HYPHENATED
            && peek() == '-'
            && at > start + 1
            && at + 1 < text.length()
            && (text.charAt(at + 1) == '-' || alphanumeric(text.codePointAt(at + 1)));
  }

  private boolean atTerminator() {
    int c = peek();
    return c == END
        || BLANKS.indexOf(c) >= 0
        || ".,|:)(".indexOf(c) >= 0
        || text.startsWith(right, at);
  }

  /** Accepts a little more than numbers; the parser notices. */
  private boolean number() {
    at = start;
    if (!numeral()) {
      return error("bad number syntax: " + Quoted.quote(text.substring(start, at)));
    }
    if (peek() != '+' && peek() != '-') {
      return emit(text.charAt(at - 1) == 'i' ? TokenKind.IMAGINARY : TokenKind.NUMBER);
    }
    if (!numeral() || text.charAt(at - 1) != 'i') {
      return error("bad number syntax: " + Quoted.quote(text.substring(start, at)));
    }
    return emit(TokenKind.IMAGINARY);
  }

  private boolean numeral() {
    accept("+-");
    String digits = "0123456789_";
    if (accept("0")) {
      digits =
          accept("xX")
              ? "0123456789abcdefABCDEF_"
              : accept("oO") ? "01234567_" : accept("bB") ? "01_" : digits;
    }
    acceptRun(digits);
    if (accept(".")) {
      acceptRun(digits);
    }
    if (digits.length() == 11 && accept("eE") || digits.length() == 23 && accept("pP")) {
      accept("+-");
      acceptRun("0123456789_");
    }
    accept("i");
    if (alphanumeric(peek())) {
      next();
      return false;
    }
    return true;
  }

  private boolean accept(String set) {
    boolean accepted = at < text.length() && set.indexOf(text.charAt(at)) >= 0;
    at += accepted ? 1 : 0;
    return accepted;
  }

  private void acceptRun(String set) {
    boolean more = true;
    while (more) {
      more = accept(set);
    }
  }

  private int peek() {
    return at < text.length() ? text.codePointAt(at) : END;
  }

  private int next() {
    int c = peek();
    at += c == END ? 1 : Character.charCount(c);
    return c;
  }

  private int charAt(int index) {
    return index < text.length() ? text.charAt(index) : END;
  }

  private boolean blankAt(int index) {
    return index < text.length() && BLANKS.indexOf(text.charAt(index)) >= 0;
  }

  private boolean digitAt(int index) {
    int c = charAt(index);
    return c >= '0' && c <= '9';
  }

  private static boolean alphanumeric(int c) {
    return c == '_' || c > 0 && Character.isLetterOrDigit(c);
  }

  private boolean emit(TokenKind kind) {
    at = Math.min(at, text.length());
    tokens.add(new Token(kind, text.substring(start, at), start, at));
    start = at;
    return true;
  }

  private boolean error(String problem) {
    int stopped = Math.min(at, text.length());
    tokens.add(new Token(TokenKind.ERROR, problem, Math.min(start, stopped), stopped));
    return false;
  }
}
