package dev.slipway.gotemplate;

import dev.slipway.gotemplate.Source.Place;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tokens of a template, and errors at the place that reading has reached. */
final class TokenStream {
  private final Source source;
  private final List<Token> tokens;
  private int at;

  /** Go reports errors at the last token that was looked at, even if only as look-ahead. */
  private int furthest;

  private @Nullable Token action;

  TokenStream(Source source, Settings settings) {
    this.source = source;
    this.tokens = Lexer.tokens(source.text(), settings);
  }

  Token next() {
    Token token = peek();
    at++;
    return token;
  }

  Token peek() {
    return look(at);
  }

  private Token look(int index) {
    int existing = Math.min(index, tokens.size() - 1);
    furthest = Math.max(furthest, existing);
    return tokens.get(existing);
  }

  void back() {
    at--;
  }

  int mark() {
    return at;
  }

  void reset(int mark) {
    at = mark;
  }

  Token nextWord() {
    Token token = next();
    while (token.kind() == TokenKind.SPACE) {
      token = next();
    }
    return token;
  }

  Token peekWord() {
    Token token = nextWord();
    back();
    return token;
  }

  /** The first token that is no space, looking from some tokens ahead. */
  Token afterSpace(int ahead) {
    Token token = look(at + ahead);
    return token.kind() == TokenKind.SPACE ? look(at + ahead + 1) : token;
  }

  Token expect(TokenKind kind, String context) {
    Token token = nextWord();
    if (token.kind() != kind) {
      throw unexpected(token, context);
    }
    return token;
  }

  void startAction(Token token) {
    action = token;
  }

  void endAction() {
    action = null;
  }

  Place place(Token token) {
    return source.place(token.offset(), token.end());
  }

  /** From a token to the one that was read last. */
  Place since(Token first) {
    return source.place(first.offset(), tokens.get(at - 1).end());
  }

  /** The string that a literal stands for. */
  String unquoted(Token token) {
    return Quoted.unquote(token.text())
        .orElseThrow(() -> error("invalid syntax in string " + token.text()));
  }

  TemplateException unexpected(Token token, String context) {
    if (token.kind() != TokenKind.ERROR) {
      return error("unexpected " + token.described() + " in " + context);
    }
    Token started = action;
    if (started == null || line(started) == line(token)) {
      return error(token.text(), hint(token));
    }
    String where = token.text().endsWith(" action") ? "" : " in action";
    return error(token.text() + where + " started at line " + line(started), hint(token));
  }

  private static String hint(Token token) {
    return token.text().startsWith("bad character U+002D")
        ? "For a key with a hyphen write (index . \"the-key\")."
        : "";
  }

  private int line(Token token) {
    return source.position(token.offset()).line();
  }

  TemplateException error(String reason) {
    return error(reason, "");
  }

  TemplateException error(String reason, String hint) {
    Token token = tokens.get(furthest);
    Place start = place(action == null ? token : action);
    String text = action == null ? "" : start.to(place(token)).excerpt();
    return new TemplateException(
        TemplateException.Kind.PARSE, place(token).position(), text, reason, hint, null);
  }
}
