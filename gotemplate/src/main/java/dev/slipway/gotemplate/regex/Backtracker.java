package dev.slipway.gotemplate.regex;

import java.util.Arrays;

/**
 * Tries the preferred way first and goes back to the next when it fails, but never visits one
 * instruction at one place twice, which bounds the time. Faster than the parallel machine as long
 * as the table of visits is small.
 */
final class Backtracker implements Machine {
  private static final int MAX_INSTRUCTIONS = 500;
  private static final int MAX_VISITS = 256 * 1024;

  private final Program program;
  private final String text;
  private final Work work;
  private final long[] visited;
  private int base;
  private int[] stack = new int[64];
  private int depth;
  private int steps;

  Backtracker(Program program, String text, Work work) {
    this.program = program;
    this.text = text;
    this.work = work;
    this.visited = new long[program.size() * (text.length() + 1) / 64 + 1];
  }

  static boolean fits(Program program, String text) {
    return program.size() <= MAX_INSTRUCTIONS
        && (long) program.size() * (text.length() + 1) <= MAX_VISITS;
  }

  @Override
  public boolean find(int from, int[] bounds) {
    base = from;
    int used = program.size() * (text.length() - from + 1) / 64 + 1;
    Arrays.fill(visited, 0, used, 0);
    steps = used / 8;
    boolean found = false;
    int last = program.anchored ? 0 : text.length();
    for (int at = from; at <= last && !found; at++) {
      at = program.prefix.isEmpty() ? at : text.indexOf(program.prefix, at);
      if (at < 0) {
        break;
      }
      found = tryAt(at, bounds);
      at += at < text.length() && Character.charCount(text.codePointAt(at)) == 2 ? 1 : 0;
    }
    work.spend(steps + 1L);
    return found;
  }

  private boolean tryAt(int from, int[] bounds) {
    Arrays.fill(bounds, -1);
    depth = 0;
    push(program.start, from);
    while (depth > 0) {
      int place = stack[--depth];
      int instruction = stack[--depth];
      if (instruction < 0) {
        bounds[~instruction] = place;
      } else if (follow(instruction, place, bounds)) {
        return true;
      }
    }
    return false;
  }

  private boolean follow(int startInstruction, int startPlace, int[] bounds) {
    int instruction = startInstruction;
    int place = startPlace;
    while (visit(instruction, place)) {
      switch (program.op[instruction]) {
        case Program.FORK -> push(program.argument[instruction], place);
        case Program.SAVE -> save(program.argument[instruction], place, bounds);
        case Program.ASSERT -> {
          if (!program.holds(
              instruction, Machine.before(text, place), Machine.after(text, place))) {
            return false;
          }
        }
        case Program.MATCH -> {
          return true;
        }
        default -> {
          int c = Machine.after(text, place);
          if (!program.accepts(instruction, c)) {
            return false;
          }
          place += Character.charCount(c);
        }
      }
      instruction = program.next[instruction];
    }
    return false;
  }

  private boolean visit(int instruction, int place) {
    steps++;
    int bit = instruction * (text.length() - base + 1) + place - base;
    boolean first = (visited[bit >> 6] >>> bit & 1) == 0;
    visited[bit >> 6] |= 1L << bit;
    return first;
  }

  private void save(int slot, int place, int[] bounds) {
    if (slot < bounds.length) {
      push(~slot, bounds[slot]);
      bounds[slot] = place;
    }
  }

  private void push(int instruction, int place) {
    if (depth + 2 > stack.length) {
      stack = Arrays.copyOf(stack, stack.length * 2);
    }
    stack[depth++] = instruction;
    stack[depth++] = place;
  }
}
