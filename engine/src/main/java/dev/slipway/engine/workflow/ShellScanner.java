package dev.slipway.engine.workflow;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Finds the quoting state at each value of a script. It follows quotes, comments, expansions,
 * substitutions and here-documents, but not the grammar of commands. After a construct that it does
 * not support, or that shells read differently, the state is unknown: a value there is refused.
 */
final class ShellScanner extends ShellWords {
  /** Which shell reads the script. */
  enum Dialect {
    BASH,
    SH
  }

  /** bash evaluates what stands between the brackets. */
  private static final Pattern SUBSCRIPT = Pattern.compile("(?s)(?:[A-Za-z_]\\w*)?\\[[^]]*");

  private static final Pattern FUNCTION = Pattern.compile("[A-Za-z_][\\w.:-]*");
  private static final Pattern ARRAY = Pattern.compile("[A-Za-z_]\\w*\\+?=");

  private StringBuilder word = new StringBuilder();
  private List<String> words = new ArrayList<>();

  ShellScanner(ShellText text, Dialect dialect) {
    super(text, dialect);
  }

  void scan() {
    try {
      commands(0);
      documents.closedBefore(-1);
    } catch (StateUnknown e) {
      for (int i = e.from; i < text.length(); i++) {
        if (isValue(text.codes()[i])) {
          refuse(ShellText.valueOf(text.codes()[i]), e);
          return;
        }
      }
    }
  }

  private void refuse(int value, StateUnknown e) {
    long line = 1 + string(0, e.from).chars().filter(code -> code == '\n').count();
    String message =
        "it is not known how the value is quoted: in or before it, in line %d of the script,"
            + " stands %s";
    misplaced.add(
        new Misplaced(
            value, Reason.STATE_UNKNOWN, message.formatted(line, e.getMessage()), e.advice));
  }

  @Override
  void commands(int start) {
    StringBuilder outerWord = word;
    List<String> outerWords = words;
    word = new StringBuilder();
    words = new ArrayList<>();
    int open = 0;
    while (peek() != END && !(peek() == ')' && open == 0 && level > 0)) {
      switch (peek()) {
        case '(' -> open += parenthesis();
        case ')' -> {
          open--;
          endCommand(1);
        }
        default -> bare();
      }
    }
    endWord();
    if (peek() == END && level > 0) {
      throw new StateUnknown(start, "a '$(' that is never closed", "Close it.");
    }
    word = outerWord;
    words = outerWords;
  }

  private void bare() {
    switch (peek()) {
      case '\n' -> {
        endCommand(1);
        documents.bodies();
      }
      case ';' -> endCommand(1);
      case '|' -> {
        if (inRegex()) {
          throw pattern();
        }
        endCommand(1);
      }
      case '&' -> ampersand();
      case ' ', '\t', '>' -> {
        endWord();
        at++;
      }
      case '<' -> {
        endWord();
        input();
      }
      case '\0' -> throw new StateUnknown(at, "a NUL character", "Remove it.");
      default -> {
        if (peek() == '#' && word.isEmpty()) {
          comment();
        } else if (!take("\\\n")) {
          part();
        }
      }
    }
  }

  private void input() {
    if (ahead("<<") && !ahead("<<<")) {
      documents.begin(words);
    } else if (!take("<<<")) {
      at++;
    }
  }

  private void ampersand() {
    boolean redirects = peek(1) == '>' || at > 0 && "<>".indexOf(text.codes()[at - 1]) >= 0;
    if (redirects) {
      endWord();
      at++;
    } else {
      endCommand(1);
    }
  }

  private void comment() {
    for (; peek() != END && peek() != '\n'; at++) {
      place(ShellPlace.COMMENT);
    }
  }

  private void part() {
    int start = at;
    int first = peek();
    String outer = evaluation;
    if (SUBSCRIPT.matcher(word).matches()) {
      evaluation = "a value stands in a subscript, which the shell evaluates";
    }
    character(Quotes.NONE);
    evaluation = outer;
    note(start, at, words, word.toString());
    boolean plain = at == start + 1 && first > 0;
    word.append(plain ? (char) first : '\0');
  }

  /** Says by how many the open parentheses grow. */
  private int parenthesis() {
    String before = word.toString();
    if (before.isEmpty() && peek(1) == '(') {
      if (dialect == Dialect.SH) {
        throw new StateUnknown(at, "'(('", "Write a blank between the parentheses.");
      }
      arithmetic(2);
      return 0;
    }
    if (!inRegex() && peek(1) == ')' && FUNCTION.matcher(before).matches()) {
      endCommand(2);
      return 0;
    }
    if (inRegex() || !before.isEmpty() && !ARRAY.matcher(before).matches()) {
      throw pattern();
    }
    endCommand(1);
    if (!before.isEmpty()) {
      words.add(before + "(");
    }
    return 1;
  }

  private boolean inRegex() {
    return !words.isEmpty() && words.getLast().equals("=~");
  }

  private StateUnknown pattern() {
    return new StateUnknown(
        at, "a pattern with signs of the shell", "Put it into a variable, and use that.");
  }

  private void endWord() {
    if (word.length() > 1 && word.charAt(0) != '[' && SUBSCRIPT.matcher(word).matches()) {
      throw new StateUnknown(at, "a subscript with blanks or signs", "Put it into a variable.");
    }
    if (level > 0 && word.toString().equals("case")) {
      throw new StateUnknown(at, "'case' inside '$('", "Write 'case' outside of a substitution.");
    }
    if (!word.isEmpty()) {
      words.add(word.toString());
      word.setLength(0);
    }
  }

  private void endCommand(int length) {
    endWord();
    words.clear();
    at += length;
  }
}
