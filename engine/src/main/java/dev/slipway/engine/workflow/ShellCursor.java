package dev.slipway.engine.workflow;

import dev.slipway.engine.workflow.ShellText.Nature;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A position in a script, and what is known so far about the values before it. */
class ShellCursor {
  /** From this offset on the quoting state is not known. */
  static final class StateUnknown extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final int from;
    final String advice;

    StateUnknown(int from, String construct, String advice) {
      super(construct, null, false, false);
      this.from = from;
      this.advice = advice;
    }
  }

  /** Why a value cannot be referenced: its place is wrong, or its quoting state is not known. */
  enum Reason {
    PLACE,
    STATE_UNKNOWN
  }

  record Misplaced(int value, Reason reason, String message, String hint) {}

  static final String ADVICE =
      "Put the value into 'env' of the step, and write \"$NAME\" outside of it.";

  static final int END = Integer.MIN_VALUE;
  private static final int DEEPEST = 100;

  final ShellText text;
  final @Nullable ShellPlace[] places;
  final List<Misplaced> misplaced = new ArrayList<>();

  /** For each value the words of its command before it; quoted and expanded parts are NUL. */
  final List<List<String>> commands = new ArrayList<>();

  /** Why a value may not stand here, in quotes or not: the shell evaluates the text around it. */
  @Nullable String evaluation;

  int at;
  int limit;
  private int nesting;

  ShellCursor(ShellText text) {
    this.text = text;
    this.limit = text.length();
    this.places = new ShellPlace[text.values().size()];
    text.values().forEach(_ -> commands.add(List.of()));
  }

  static boolean isValue(int code) {
    return code < 0 && code != END;
  }

  int peek() {
    return peek(0);
  }

  int peek(int ahead) {
    return at + ahead < limit ? text.codes()[at + ahead] : END;
  }

  boolean ahead(String literal) {
    for (int i = 0; i < literal.length(); i++) {
      if (peek(i) != literal.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  boolean take(String literal) {
    boolean there = ahead(literal);
    at += there ? literal.length() : 0;
    return there;
  }

  /** A stretch of the text, with NUL for every value. */
  String string(int from, int to) {
    StringBuilder out = new StringBuilder(to - from);
    for (int i = from; i < to; i++) {
      out.append(text.codes()[i] < 0 ? '\0' : (char) text.codes()[i]);
    }
    return out.toString();
  }

  void enter() {
    if (++nesting > DEEPEST) {
      throw new StateUnknown(at, "more than " + DEEPEST + " nested expansions", "Nest fewer.");
    }
  }

  void leave() {
    nesting--;
  }

  boolean isNumber(int code) {
    return text.values().get(ShellText.valueOf(code)) == Nature.NUMBER;
  }

  /** Notes the place of the value that stands here, if one does; a number is never code. */
  void place(ShellPlace place) {
    if (!isValue(peek())) {
      return;
    }
    if (evaluation != null && !isNumber(peek())) {
      refuse(evaluation, ADVICE);
    } else {
      places[ShellText.valueOf(peek())] = place;
    }
  }

  /** Notes the words before values, unless those of a substitution around them are noted. */
  void note(int from, int to, List<String> words, String word) {
    for (int i = from; i < to; i++) {
      int code = text.codes()[i];
      if (isValue(code) && commands.get(ShellText.valueOf(code)).isEmpty()) {
        List<String> before = new ArrayList<>(words);
        before.add(word);
        commands.set(ShellText.valueOf(code), before);
      }
    }
  }

  /** Refuses the value that stands here, if one does. */
  void refuse(String message, String hint) {
    if (isValue(peek())) {
      misplaced.add(new Misplaced(ShellText.valueOf(peek()), Reason.PLACE, message, hint));
    }
  }
}
