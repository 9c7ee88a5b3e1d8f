package dev.slipway.gotemplate.regex;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A compiled pattern: instructions in parallel arrays. Instruction {@code i} does {@code op[i]}
 * with {@code argument[i]} and goes on at {@code next[i]}; a fork prefers {@code next[i]} over
 * {@code argument[i]}.
 */
final class Program {
  static final byte CHARACTER = 0;
  static final byte SET = 1;
  static final byte FORK = 2;
  static final byte SAVE = 3;
  static final byte ASSERT = 4;
  static final byte MATCH = 5;

  private static final Place[] PLACES = Place.values();

  final byte[] op;
  final int[] argument;
  final int[] next;
  final CharSet[] sets;
  final int start;
  final int groups;

  /** What every match begins with; empty when there is nothing of the kind. */
  final String prefix;

  /** Whether a match can only begin where the text begins. */
  final boolean anchored;

  private Program(Writer written, int start, int groups) {
    this.op = Arrays.copyOf(written.op, written.size);
    this.argument = Arrays.copyOf(written.argument, written.size);
    this.next = Arrays.copyOf(written.next, written.size);
    this.sets = written.sets.toArray(CharSet[]::new);
    this.start = start;
    this.groups = groups;
    int first = skipSaves(start);
    this.anchored = op[first] == ASSERT && PLACES[argument[first]] == Place.TEXT_START;
    this.prefix = literalFrom(first);
  }

  int size() {
    return op.length;
  }

  /** Whether the character is what the instruction wants; -1, the end of the text, never is. */
  boolean accepts(int instruction, int character) {
    return op[instruction] == CHARACTER
        ? argument[instruction] == character
        : sets[argument[instruction]].contains(character);
  }

  boolean holds(int instruction, int before, int after) {
    return PLACES[argument[instruction]].holds(before, after);
  }

  private int skipSaves(int instruction) {
    int i = instruction;
    while (op[i] == SAVE) {
      i = next[i];
    }
    return i;
  }

  private String literalFrom(int first) {
    StringBuilder literal = new StringBuilder();
    for (int i = first; op[i] == CHARACTER; i = skipSaves(next[i])) {
      literal.appendCodePoint(argument[i]);
    }
    return literal.toString();
  }

  static Program of(Node pattern, int groups) {
    Writer writer = new Writer();
    int match = writer.add(MATCH, 0, 0);
    int end = writer.add(SAVE, 1, match);
    int body = writer.compile(pattern, end);
    return new Program(writer, writer.add(SAVE, 0, body), groups);
  }

  /** Writes from the back: what follows a node is known before the node itself. */
  private static final class Writer {
    private byte[] op = new byte[32];
    private int[] argument = new int[32];
    private int[] next = new int[32];
    private int size;
    private final List<CharSet> sets = new ArrayList<>();

    int add(byte operation, int operand, int following) {
      if (size == op.length) {
        op = Arrays.copyOf(op, size * 2);
        argument = Arrays.copyOf(argument, size * 2);
        next = Arrays.copyOf(next, size * 2);
      }
      op[size] = operation;
      argument[size] = operand;
      next[size] = following;
      return size++;
    }

    int compile(Node node, int following) {
      return switch (node) {
        case Node.Empty _ -> following;
        case Node.One one -> one(one.set(), following);
        case Node.Assertion assertion -> add(ASSERT, assertion.place().ordinal(), following);
        case Node.Group group -> group(group, following);
        case Node.Repeat repeat -> repeat(repeat, following);
        case Node.Sequence sequence -> sequence(sequence.parts(), following);
        case Node.Choice choice -> choice(choice.options(), following);
      };
    }

    private int one(CharSet set, int following) {
      if (set.single() >= 0) {
        return add(CHARACTER, set.single(), following);
      }
      int index = sets.size();
      if (index > 0 && sets.get(index - 1) == set) {
        return add(SET, index - 1, following);
      }
      sets.add(set);
      return add(SET, index, following);
    }

    private int group(Node.Group group, int following) {
      int close = add(SAVE, 2 * group.number() + 1, following);
      return add(SAVE, 2 * group.number(), compile(group.body(), close));
    }

    private int sequence(List<Node> parts, int following) {
      int entry = following;
      for (Node part : parts.reversed()) {
        entry = compile(part, entry);
      }
      return entry;
    }

    private int choice(List<Node> options, int following) {
      int entry = compile(options.getLast(), following);
      for (int i = options.size() - 2; i >= 0; i--) {
        entry = add(FORK, entry, compile(options.get(i), following));
      }
      return entry;
    }

    private int repeat(Node.Repeat repeat, int following) {
      int entry = following;
      if (repeat.most() < 0) {
        entry = loop(repeat, following);
      } else {
        for (int i = repeat.least(); i < repeat.most(); i++) {
          entry = fork(repeat, compile(repeat.body(), entry), following);
        }
      }
      int mandatory = repeat.most() < 0 ? repeat.least() - 1 : repeat.least();
      for (int i = 0; i < mandatory; i++) {
        entry = compile(repeat.body(), entry);
      }
      return entry;
    }

    /** Once or more; with {@code least} 0 never or more. */
    private int loop(Node.Repeat repeat, int following) {
      int again = add(FORK, following, following);
      int body = compile(repeat.body(), again);
      if (repeat.greed() == Node.Greed.MORE) {
        next[again] = body;
      } else {
        argument[again] = body;
      }
      if (repeat.least() > 0) {
        return body;
      }
      // A body that can be empty must be tried once as a whole before the loop may end, or groups
      // in it would be set differently from (x+)?.
      return repeat.body().nullable() ? fork(repeat, body, following) : again;
    }

    private int fork(Node.Repeat repeat, int body, int following) {
      return repeat.greed() == Node.Greed.MORE
          ? add(FORK, following, body)
          : add(FORK, body, following);
    }
  }
}
