package dev.slipway.engine.workflow;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the words of a shell script: quotes, expansions, arithmetic, here-documents. Notes for each
 * value where it stands. {@link ShellGrammar} puts the words together to commands.
 */
final class ShellReader extends ShellCursor {
  /** Which shell reads the script. */
  enum Dialect {
    BASH,
    SH
  }

  /** What a value must not be in, with advice. */
  record Misplaced(int value, String message, String hint) {}

  private static final String ADVICE =
      "Assign it to a variable on a line of its own, and use that in quotes.";

  final ShellPlace[] places;
  final List<Misplaced> misplaced = new ArrayList<>();
  final ShellDocuments documents = new ShellDocuments(this);
  final List<ShellWord> arithmetic = new ArrayList<>();
  final List<ShellWord> assigned = new ArrayList<>();
  private final Dialect dialect;
  private final ShellGrammar grammar;
  private final Set<Integer> notArithmetic = new HashSet<>();

  /** How many command substitutions stand around this place. */
  int substitutions;

  ShellReader(ShellText text, Dialect dialect) {
    super(text);
    this.dialect = dialect;
    this.places = new ShellPlace[text.values().size()];
    this.grammar = new ShellGrammar(this);
  }

  ShellGrammar read() {
    grammar.script();
    if (!atEnd()) {
      throw new NotUnderstood("unexpected '" + (char) peek() + "'");
    }
    return grammar;
  }

  /** Spaces, tabs, continued lines and comments. */
  void blanks() {
    while (true) {
      if (peek() == ' ' || peek() == '\t') {
        at++;
      } else if (!take("\\\n")) {
        break;
      }
    }
    if (peek() == '#') {
      while (!atEnd() && peek() != '\n') {
        if (isValue(peek())) {
          places[ShellText.valueOf(peek())] = ShellPlace.COMMENT;
        }
        at++;
      }
    }
  }

  /** A line's end, behind which the bodies of here-documents stand. */
  boolean newline() {
    boolean there = take("\n");
    if (there) {
      documents.bodies();
    }
    return there;
  }

  /** The body of a here-document with expansions. */
  void unquoted(ShellWord word, int end) {
    while (at < end) {
      inDouble(word, Quotes.HERE_DOCUMENT);
    }
  }

  /** The body of a here-document without. */
  void verbatim(ShellWord word, int end) {
    while (at < end) {
      if (isValue(peek())) {
        place(word, ShellPlace.VERBATIM);
      } else {
        at++;
      }
    }
  }

  // ---- words

  private static boolean endsWord(int code) {
    return code == END || code >= 0 && " \t\n;&|<>()".indexOf(code) >= 0;
  }

  ShellWord word() {
    ShellWord word = new ShellWord();
    int start = at;
    while (true) {
      int code = peek();
      if ((code == '<' || code == '>') && peek(1) == '(') {
        at += 2;
        substitution(word, ")");
      } else if (code == '(' && extended(word, start)) {
        at++;
        pattern(word);
      } else if (endsWord(code) || code == '`' && grammar.inBackticks()) {
        if (at == start) {
          throw new NotUnderstood("a word is missing");
        }
        return word;
      } else {
        part(word);
      }
    }
  }

  /** {@code @(a|b)}: patterns of bash. */
  private boolean extended(ShellWord word, int start) {
    int before = at > start ? text.codes()[at - 1] : END;
    return before >= 0 && "?*+@!".indexOf(before) >= 0 && word.bare < 0;
  }

  private void pattern(ShellWord word) {
    word.unknown();
    enter();
    while (!take(")")) {
      if (atEnd()) {
        throw new NotUnderstood("a pattern is never closed");
      }
      if (take("(")) {
        pattern(word);
      } else if (endsWord(peek())) {
        at++;
      } else {
        part(word);
      }
    }
    leave();
  }

  /** One piece of a word outside of quotes. */
  private void part(ShellWord word) {
    int code = peek();
    if (isValue(code)) {
      place(word, ShellPlace.BARE);
      return;
    }
    at++;
    switch (code) {
      case '\\' -> escaped(word);
      case '\'' -> single(word);
      case '"' -> doubleQuoted(word);
      case '$' -> dollar(word, Quotes.NONE);
      case '`' -> substitution(word, "`");
      default -> word.literal.append((char) code);
    }
  }

  private void place(ShellWord word, ShellPlace place) {
    int value = ShellText.valueOf(peek());
    places[value] = place;
    word.values.add(value);
    word.unknown();
    at++;
  }

  private void misplace(ShellWord word, String message, String hint) {
    misplaced.add(new Misplaced(ShellText.valueOf(peek()), message, hint));
    place(word, ShellPlace.BARE);
  }

  private void escaped(ShellWord word) {
    if (isValue(peek())) {
      misplace(word, "a backslash stands right before a value", "Remove the backslash.");
    } else if (!take("\n") && !atEnd()) {
      word.quoted();
      word.literal.append((char) text.codes()[at++]);
    }
  }

  private void single(ShellWord word) {
    word.quoted();
    while (!take("'")) {
      if (atEnd()) {
        throw new NotUnderstood("a single quote is never closed");
      }
      if (isValue(peek())) {
        place(word, ShellPlace.SINGLE_QUOTED);
      } else {
        word.literal.append((char) text.codes()[at++]);
      }
    }
  }

  private void ansi(ShellWord word) {
    word.quoted();
    word.unknown();
    while (!take("'")) {
      if (atEnd()) {
        throw new NotUnderstood("a quote is never closed");
      }
      if (isValue(peek())) {
        place(word, ShellPlace.ANSI_QUOTED);
      } else if (take("\\")) {
        if (isValue(peek())) {
          misplace(word, "a backslash stands right before a value", "Remove the backslash.");
        } else {
          at++;
        }
      } else {
        at++;
      }
    }
  }

  private void doubleQuoted(ShellWord word) {
    word.quoted();
    enter();
    while (!take("\"")) {
      if (atEnd()) {
        throw new NotUnderstood("a double quote is never closed");
      }
      inDouble(word, Quotes.DOUBLE);
    }
    leave();
  }

  /** One piece inside double quotes or a here-document. */
  private void inDouble(ShellWord word, Quotes quotes) {
    int code = peek();
    if (isValue(code)) {
      place(word, ShellPlace.DOUBLE_QUOTED);
      return;
    }
    at++;
    switch (code) {
      case '\\' -> escaped(word);
      case '$' -> dollar(word, quotes);
      case '`' -> substitution(word, "`");
      default -> word.literal.append((char) code);
    }
  }

  // ---- expansions

  /** What a dollar sign stands in. */
  private enum Quotes {
    NONE,
    DOUBLE,
    HERE_DOCUMENT
  }

  private void dollar(ShellWord word, Quotes quotes) {
    int code = peek();
    if (isValue(code)) {
      misplace(word, "a dollar sign stands right before a value", "Remove the dollar sign.");
    } else if (ahead("((") && !notArithmetic.contains(at)) {
      arithmeticOrSubshell(word);
    } else if (take("(")) {
      substitution(word, ")");
    } else if (take("{")) {
      parameter(word, quotes);
    } else if (take("[")) {
      word.unknown();
      word.take(arithmetic("]"));
    } else if (code == '\'' && quotes == Quotes.NONE) {
      if (dialect == Dialect.SH) {
        throw new NotUnderstood("$'...' means something else in every shell: use bash");
      }
      at++;
      ansi(word);
    } else if (code == '"' && quotes == Quotes.NONE) {
      at++;
      doubleQuoted(word);
    } else {
      name(word);
    }
  }

  private void name(ShellWord word) {
    String name = identifier();
    if (name.isEmpty() && peek() >= 0 && "@*#?$!-0123456789".indexOf(peek()) >= 0) {
      name = Character.toString((char) text.codes()[at++]);
    }
    if (name.isEmpty()) {
      word.literal.append('$');
    } else {
      word.unknown();
      word.variables.add(normal(name));
    }
  }

  /** All positional parameters count as one. */
  static String normal(String name) {
    return name.matches("[0-9]+|\\*") ? "@" : name;
  }

  private void arithmeticOrSubshell(ShellWord word) {
    int start = at;
    ShellWord inside = arithmeticCommand();
    if (inside != null) {
      word.unknown();
      word.take(inside);
    } else {
      notArithmetic.add(start);
      at = start + 1;
      substitution(word, ")");
    }
  }

  /**
   * What stands in {@code (( ))}; null, and nothing read, when it turns out to be something else.
   */
  @Nullable ShellWord arithmeticCommand() {
    int start = at;
    int problems = misplaced.size();
    int known = arithmetic.size();
    int verbatims = documents.verbatim.size();
    int level = depth;
    int inside = substitutions;
    int ticks = grammar.backticks;
    at += 2;
    try {
      return arithmetic("))");
    } catch (NotUnderstood e) {
      misplaced.subList(problems, misplaced.size()).clear();
      arithmetic.subList(known, arithmetic.size()).clear();
      documents.forget(verbatims);
      depth = level;
      substitutions = inside;
      grammar.backticks = ticks;
      at = start;
      return null;
    }
  }

  /** An arithmetic expression up to its end; every name in it is evaluated in turn. */
  ShellWord arithmetic(String end) {
    ShellWord inside = new ShellWord();
    enter();
    int open = 0;
    while (open > 0 || !take(end)) {
      int code = peek();
      boolean unclear = code == '\n' && documents.waiting() > 0 || code == '\'' && !end.equals("]");
      if (code == END || code == ')' && open == 0 || unclear) {
        throw new NotUnderstood("arithmetic is never closed");
      }
      open += code == '(' || code == '[' ? 1 : code == ')' || code == ']' ? -1 : 0;
      if (isValue(code)) {
        place(inside, ShellPlace.ARITHMETIC);
      } else if (take("$")) {
        dollar(inside, Quotes.DOUBLE);
      } else if (take("`")) {
        substitution(inside, "`");
      } else {
        nameOrSign(inside);
      }
    }
    leave();
    arithmetic.add(inside);
    return inside;
  }

  private void nameOrSign(ShellWord inside) {
    String name = identifier();
    if (name.isEmpty()) {
      at++;
    } else {
      inside.variables.add(name);
    }
  }

  private void substitution(ShellWord word, String end) {
    enter();
    substitutions++;
    boolean backticks = end.equals("`");
    int start = at;
    int waiting = documents.waiting();
    ShellWord inside = new ShellWord();
    List<List<ShellCommand>> commands = grammar.substitution(backticks);
    if (documents.waiting() > waiting) {
      throw new NotUnderstood("a substitution ends before its here-document");
    }
    commands.forEach(pipeline -> pipeline.forEach(command -> inside.take(command.all())));
    if (backticks && !inside.values.isEmpty() && string(start, at).indexOf('\\') >= 0) {
      misplaced.add(
          new Misplaced(
              inside.values.iterator().next(),
              "a value and a backslash stand between backticks",
              "Write $( ) instead of backticks."));
    }
    if (!take(end)) {
      throw new NotUnderstood("a command substitution is never closed");
    }
    word.unknown();
    word.take(inside);
    substitutions--;
    leave();
  }

  /** What stands in {@code ${...}}. */
  private void parameter(ShellWord word, Quotes quotes) {
    word.unknown();
    enter();
    boolean indirect = peek() == '!' && peek(1) != '}' && take("!");
    if (!indirect && peek() == '#' && peek(1) != '}') {
      at++;
    }
    ShellWord name = new ShellWord();
    name(name);
    if (isValue(peek())) {
      misplace(word, "a value stands where a variable's name is expected", ADVICE);
    }
    if (take("[")) {
      word.take(subscript());
    }
    word.take(name);
    if (indirect || ahead("@P")) {
      arithmetic.add(name);
    }
    operand(word, name, quotes);
    leave();
  }

  private ShellWord subscript() {
    if (take("@]") || take("*]")) {
      return new ShellWord();
    }
    return arithmetic("]");
  }

  private void operand(ShellWord word, ShellWord name, Quotes quotes) {
    boolean colon = peek() == ':';
    int operator = peek(colon ? 1 : 0);
    boolean plain = operator >= 0 && "-+=?".indexOf(operator) >= 0;
    at += plain ? (colon ? 2 : 1) : 0;
    if (colon && !plain) {
      at++;
      ShellWord slice = arithmetic("}");
      word.take(slice);
      return;
    }
    ShellWord inside = new ShellWord();
    while (!take("}")) {
      if (atEnd()) {
        throw new NotUnderstood("an expansion is never closed");
      }
      if (isValue(peek()) && !plain) {
        misplace(inside, "a value stands in the pattern of an expansion", ADVICE);
      } else if (quotes == Quotes.NONE
          || peek() == '"' && quotes == Quotes.DOUBLE
          || peek() == '\'' && !plain) {
        part(inside);
      } else {
        inDouble(inside, quotes);
      }
    }
    if (plain && operator == '=') {
      ShellWord assignment = new ShellWord();
      assignment.literal.append(String.join("", name.variables)).append('=');
      assignment.take(inside);
      assigned.add(assignment);
    }
    word.take(inside);
  }
}
