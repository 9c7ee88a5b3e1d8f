package dev.slipway.engine.workflow;

import java.util.regex.Pattern;

/** Reads what a word can consist of: quotes, escapes, expansions, substitutions, arithmetic. */
abstract class ShellWords extends ShellCursor {
  /** Whether double quotes (or a here-document) stand around this position. */
  enum Quotes {
    NONE,
    DOUBLE
  }

  /** {@code ${name:-word}} and its relatives, whose word is quoted like the text around it. */
  private static final Pattern DEFAULT = Pattern.compile("\\$\\{[A-Za-z0-9_]+:?[-+?]");

  private static final String SPECIAL = "$?!@*#-0123456789";
  private static final Pattern PARAMETER = Pattern.compile("[A-Za-z0-9_@*#?$!-]");

  final ShellScanner.Dialect dialect;
  final ShellDocuments documents = new ShellDocuments(this);

  /** How many command substitutions stand around this position. */
  int level;

  ShellWords(ShellText text, ShellScanner.Dialect dialect) {
    super(text);
    this.dialect = dialect;
  }

  /** The commands of a substitution, up to the parenthesis that closes it. */
  abstract void commands(int start);

  /** One character, escape, quoted part or expansion. */
  void character(Quotes quotes) {
    int code = peek();
    if (code == '\\') {
      escape();
    } else if (code == '$') {
      dollar(quotes);
    } else if (code == '`') {
      backquotes();
    } else if (code == '\'' && quotes == Quotes.NONE) {
      single();
    } else if (code == '"' && quotes == Quotes.NONE) {
      doubles();
    } else {
      place(quotes == Quotes.NONE ? ShellPlace.BARE : ShellPlace.DOUBLE_QUOTED);
      step();
    }
  }

  /** A newline that ends no command must not stand between {@code <<} and the body. */
  private void step() {
    if (peek() == '\n' && documents.pending()) {
      throw documents.interrupted();
    }
    at++;
  }

  private void escape() {
    at++;
    refuse("a backslash stands right before a value", "Remove it, or write two.");
    at++;
  }

  private void single() {
    int start = at++;
    for (; peek() != '\''; step()) {
      closed(start, "a single quote");
      place(ShellPlace.SINGLE_QUOTED);
    }
    at++;
  }

  private void doubles() {
    int start = at++;
    while (peek() != '"') {
      closed(start, "a double quote");
      character(Quotes.DOUBLE);
    }
    at++;
  }

  /** Shells find the end of backquotes without a look at the quotes between them. */
  private void backquotes() {
    int start = at++;
    for (; peek() != '`'; step()) {
      closed(start, "a backquote");
      at += peek() == '\\' ? 1 : 0;
      refuse("a value stands in backquotes", "Write $( ) instead of them.");
    }
    at++;
  }

  /** {@code $'...'}. */
  private void escapes() {
    int start = at;
    if (dialect == ShellScanner.Dialect.SH) {
      throw new StateUnknown(start, "\"$'\", which only bash knows", "Write single quotes.");
    }
    at += 2;
    for (; peek() != '\''; step()) {
      closed(start, "a \"$'\"");
      at += peek() == '\\' ? 1 : 0;
      refuse("a value stands in $'...'", "Close it before the value, and write the value bare.");
    }
    at++;
  }

  private void closed(int start, String construct) {
    if (peek() == END) {
      throw new StateUnknown(start, construct + " that is never closed", "Close it.");
    }
  }

  private void dollar(Quotes quotes) {
    enter();
    if (ahead("$((")) {
      arithmetic(3);
    } else if (ahead("$(")) {
      substitution();
    } else if (ahead("${")) {
      expansion(quotes);
    } else if (ahead("$[")) {
      throw new StateUnknown(at, "'$['", "Write $(( )) instead.");
    } else if (ahead("$'") && quotes == Quotes.NONE) {
      escapes();
    } else {
      at++;
      refuse("a dollar sign stands right before a value", "Write '$' in single quotes.");
      // $$'a' is the parameter $ and a quoted text.
      at += isValue(peek()) || peek() > 0 && SPECIAL.indexOf(peek()) >= 0 ? 1 : 0;
    }
    leave();
  }

  void substitution() {
    int start = at;
    at += 2;
    level++;
    commands(start);
    level--;
    documents.closedBefore(level);
    at++;
  }

  private void expansion(Quotes quotes) {
    int start = at;
    String outer = evaluation;
    if (!DEFAULT.matcher(string(at, Math.min(limit, at + 100))).lookingAt()) {
      evaluation = "a value stands in ${ }, where the shell evaluates it";
    }
    at += 2;
    if (!PARAMETER.matcher(peek() < 0 ? "" : Character.toString(peek())).matches()) {
      throw new StateUnknown(start, "a '${' without a name", "Write ${NAME}.");
    }
    while (peek() != '}') {
      closed(start, "a '${'");
      if (quotes == Quotes.DOUBLE && (peek() == '"' || peek() == '\'')) {
        throw new StateUnknown(
            start, "a '${' in quotes with quotes inside", "Put its word into a variable.");
      }
      character(quotes);
    }
    at++;
    evaluation = outer;
  }

  /** {@code $((...))} and {@code ((...))}, behind an opening of that many characters. */
  void arithmetic(int opening) {
    int start = at;
    int open = 0;
    String outer = evaluation;
    evaluation = "a value in arithmetic would be run as code";
    at += opening;
    while (open > 0 || !ahead("))")) {
      closed(start, "arithmetic");
      if (peek() == '"' || peek() == '\'' || peek() == ')' && open == 0) {
        throw new StateUnknown(
            start,
            "'((' with quotes, or without '))'",
            "Write no quotes in arithmetic, and a blank between the parentheses of subshells.");
      }
      open += peek() == '(' ? 1 : peek() == ')' ? -1 : 0;
      if (isValue(peek())) {
        place(ShellPlace.ARITHMETIC);
        at++;
      } else {
        character(Quotes.DOUBLE);
      }
    }
    at += 2;
    evaluation = outer;
  }
}
