package dev.slipway.gotemplate.regex;

import java.util.Arrays;

/**
 * Follows every way through the program at once, character by character; an instruction is at most
 * once in the list of a place, the preferred ways first. Takes any program and any text.
 */
final class ParallelMachine implements Machine {
  private static final int REPORT_EVERY = 4096;

  private final Program program;
  private final String text;
  private final Work work;
  private Threads now = new Threads(0, 0);
  private Threads then = new Threads(0, 0);
  private int[] stack = new int[64];
  private int depth;
  private int[] scratch = new int[0];
  private int steps;

  /** The instructions that are alive at one place, in order of preference, with their groups. */
  private static final class Threads {
    final int[] list;
    final int[] index;
    final int[] bounds;
    int size;

    Threads(int instructions, int slots) {
      list = new int[instructions];
      index = new int[instructions];
      bounds = new int[instructions * slots];
    }

    boolean has(int instruction) {
      int i = index[instruction];
      return i < size && list[i] == instruction;
    }

    void add(int instruction) {
      index[instruction] = size;
      list[size++] = instruction;
    }
  }

  ParallelMachine(Program program, String text, Work work) {
    this.program = program;
    this.text = text;
    this.work = work;
  }

  @Override
  public boolean find(int from, int[] bounds) {
    prepare(bounds.length);
    boolean found = false;
    int place = from;
    while (true) {
      if (now.size == 0) {
        place = found ? -1 : nextStart(place);
        if (place < 0) {
          break;
        }
      }
      int c = Machine.after(text, place);
      if (!found && (!program.anchored || place == 0)) {
        Arrays.fill(scratch, -1);
        follow(now, program.start, place);
      }
      if (now.size > 0 && step(place, c, bounds)) {
        found = true;
      }
      if (c < 0 || found && bounds.length == 0) {
        break;
      }
      place += Character.charCount(c);
    }
    report();
    return found;
  }

  private void prepare(int slots) {
    if (now.list.length != program.size() || scratch.length != slots) {
      now = new Threads(program.size(), slots);
      then = new Threads(program.size(), slots);
      scratch = new int[slots];
      steps += program.size() / 8;
    }
    now.size = 0;
    then.size = 0;
  }

  /** The next place where a match can begin, or -1. */
  private int nextStart(int place) {
    if (program.anchored && place > 0) {
      return -1;
    }
    int start = program.prefix.isEmpty() ? place : text.indexOf(program.prefix, place);
    steps += Math.max(start < 0 ? text.length() - place : start - place, 0) / 8 + 1;
    return start;
  }

  /** Moves all threads over one character; true when one that was reached is a match. */
  private boolean step(int place, int c, int[] bounds) {
    int slots = scratch.length;
    boolean found = false;
    for (int i = 0; i < now.size && !found; i++) {
      int instruction = now.list[i];
      byte op = program.op[instruction];
      if (op == Program.MATCH) {
        System.arraycopy(now.bounds, instruction * slots, bounds, 0, slots);
        found = true;
      } else if (op <= Program.SET && c >= 0 && program.accepts(instruction, c)) {
        System.arraycopy(now.bounds, instruction * slots, scratch, 0, slots);
        follow(then, program.next[instruction], place + Character.charCount(c));
      }
      count();
    }
    Threads old = now;
    now = then;
    then = old;
    then.size = 0;
    return found;
  }

  /** Adds everything that can be reached from the instruction without reading a character. */
  private void follow(Threads threads, int from, int place) {
    int before = Machine.before(text, place);
    int after = Machine.after(text, place);
    depth = 0;
    push(from, 0);
    while (depth > 0) {
      int value = stack[--depth];
      int instruction = stack[--depth];
      if (instruction < 0) {
        scratch[~instruction] = value;
        continue;
      }
      while (!threads.has(instruction)) {
        threads.add(instruction);
        count();
        byte op = program.op[instruction];
        if (op == Program.FORK) {
          push(program.argument[instruction], 0);
        } else if (op == Program.SAVE) {
          save(program.argument[instruction], place);
        } else if (op != Program.ASSERT) {
          int slots = scratch.length;
          System.arraycopy(scratch, 0, threads.bounds, instruction * slots, slots);
          break;
        } else if (!program.holds(instruction, before, after)) {
          break;
        }
        instruction = program.next[instruction];
      }
    }
  }

  private void save(int slot, int place) {
    if (slot < scratch.length) {
      push(~slot, scratch[slot]);
      scratch[slot] = place;
    }
  }

  private void push(int instruction, int value) {
    if (depth + 2 > stack.length) {
      stack = Arrays.copyOf(stack, stack.length * 2);
    }
    stack[depth++] = instruction;
    stack[depth++] = value;
  }

  private void count() {
    if (++steps >= REPORT_EVERY) {
      report();
    }
  }

  private void report() {
    work.spend(steps);
    steps = 0;
  }
}
