package dev.slipway.gotemplate;

import java.util.ArrayList;
import java.util.List;

/**
 * The variables of one template while it is parsed. In Go a variable is declared from its
 * declaration to the end of the control structure, else branch included, but has a value only if
 * the declaration was executed; so there are two lists, of declared names and of values.
 */
final class Scope {
  private final List<String> known = new ArrayList<>(List.of("$"));
  private final List<Variable> visible = new ArrayList<>(List.of(new Variable("$", 0)));
  private final Reference.Root whole;
  private int slots = 1;
  private int ranges;
  private int changesOfDot;

  private record Variable(String name, int slot) {}

  /** How many variables were known and visible at some point. */
  record Mark(int known, int visible) {}

  private Scope(Reference.Root whole) {
    this.whole = whole;
  }

  static Scope main() {
    return new Scope(Reference.Root.DATA);
  }

  static Scope definition() {
    return new Scope(Reference.Root.DOT);
  }

  /** Number of variables that the template needs, {@code $} included. */
  int variables() {
    return slots;
  }

  void know(String name) {
    known.add(name);
  }

  boolean knows(String name) {
    return known.contains(name);
  }

  int declare(String name) {
    visible.add(new Variable(name, slots));
    return slots++;
  }

  /** The number of the variable; negative if it has no value here. */
  int slot(String name) {
    for (int i = visible.size() - 1; i >= 0; i--) {
      if (visible.get(i).name.equals(name)) {
        return visible.get(i).slot;
      }
    }
    return -1;
  }

  List<String> names() {
    return known;
  }

  Mark mark() {
    return new Mark(known.size(), visible.size());
  }

  /** Variables declared since then have no value any more. */
  void hide(Mark mark) {
    visible.subList(mark.visible, visible.size()).clear();
  }

  /** Variables declared since then are not known any more. */
  void reset(Mark mark) {
    hide(mark);
    known.subList(mark.known, known.size()).clear();
  }

  void enter(TokenKind control) {
    ranges += control == TokenKind.RANGE ? 1 : 0;
    changesOfDot += control == TokenKind.IF ? 0 : 1;
  }

  void leave(TokenKind control) {
    ranges -= control == TokenKind.RANGE ? 1 : 0;
    changesOfDot -= control == TokenKind.IF ? 0 : 1;
  }

  boolean inRange() {
    return ranges > 0;
  }

  /** What {@code .} is here. */
  Reference.Root dot() {
    return changesOfDot == 0 ? whole : Reference.Root.DOT;
  }

  /** What {@code $} is here. */
  Reference.Root dollar() {
    return slot("$") == 0 ? whole : Reference.Root.COMPUTED;
  }
}
