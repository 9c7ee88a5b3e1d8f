package dev.slipway.kubernetes.lua;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.luaj.vm2.Lua;
import org.luaj.vm2.LuaClosure;
import org.luaj.vm2.LuaString;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.Varargs;
import org.luaj.vm2.lib.DebugLib;

/**
 * One run of a script. LuaJ calls it before every instruction; it counts work and memory, those of
 * library functions included, and ends the run at its limits. Both counts depend on the script
 * alone, so that the same script ends at the same place on every machine.
 */
final class Evaluation extends DebugLib {
  private static final ScopedValue<Evaluation> CURRENT = ScopedValue.newInstance();
  private static final int DEEPEST = 180;
  private static final int TABLE = 64;
  private static final int SLOT = 48;
  private static final int BETWEEN_LOOKS_AT_CLOCK = 1024;

  private final LuaLimits limits;
  private final Instant now;
  private final long started = System.nanoTime();
  private final Deque<Frame> frames = new ArrayDeque<>();
  private final Random random = new Random(0);
  private @Nullable Frame running;
  private @Nullable Frame failed;
  private long instructions;
  private long memory;
  private long nextLook;

  Evaluation(LuaLimits limits, Instant now) {
    this.limits = limits;
    this.now = now;
  }

  /** A part of the evaluation that may fail. */
  interface Part {
    Varargs run();
  }

  Varargs run(Part part) {
    return ScopedValue.where(CURRENT, this).call(part::run);
  }

  /** The evaluation that this thread carries out. */
  static Evaluation current() {
    return CURRENT.get();
  }

  Instant now() {
    return now;
  }

  Random random() {
    return random;
  }

  /** Counts work of a library function as that many instructions. */
  void work(long steps) {
    instructions += steps;
    if (instructions > limits.instructions()) {
      throw new LimitReached(
          "the script takes more than " + limits.instructions() + " instructions");
    }
    if (instructions > nextLook) {
      nextLook = instructions + BETWEEN_LOOKS_AT_CLOCK;
      if (System.nanoTime() - started > limits.time().toNanos()) {
        throw new LimitReached("the script takes longer than " + limits.time().toMillis() + " ms");
      }
    }
  }

  /** Counts memory before it is allocated. What the script drops again counts too. */
  void allocate(long bytes) {
    memory += bytes;
    if (memory > limits.memory()) {
      throw new LimitReached("the script takes more than " + limits.memory() + " bytes of memory");
    }
  }

  /** Counts a string before it is made. */
  void allocateText(long bytes) {
    checkText(bytes);
    allocate(bytes + TABLE);
  }

  /** Whether a string may be that long. */
  void checkText(long bytes) {
    if (bytes > limits.text()) {
      throw new LimitReached("the script makes a string of more than " + limits.text() + " bytes");
    }
  }

  /** The function that the script runs at this distance from the innermost one, which is 1. */
  @Nullable Frame caller(int level) {
    int depth = 1;
    for (Frame frame : frames) {
      if (depth++ == level) {
        return frame;
      }
    }
    return null;
  }

  /** Where the latest error that LuaJ raised itself came from; forgets it. */
  @Nullable Frame takeFailed() {
    Frame frame = failed;
    failed = null;
    return frame;
  }

  @Override
  public void onCall(LuaClosure function, Varargs arguments, LuaValue[] stack) {
    if (frames.size() >= DEEPEST) {
      throw ScriptErrors.raised("stack overflow");
    }
    allocate(stack.length * 8L);
    running = new Frame(function.p, stack);
    frames.push(running);
  }

  @Override
  public void onReturn() {
    Frame frame = frames.pop();
    running = frames.peek();
    int operation = frame.instruction() & 0x3f;
    if (failed == null && operation != Lua.OP_RETURN && operation != Lua.OP_TAILCALL) {
      failed = frame;
    }
  }

  @Override
  public void onInstruction(int pc, Varargs v, int top) {
    Frame frame = Objects.requireNonNull(running, "instructions belong to a function");
    frame.pc = pc;
    work(1);
    int i = frame.prototype.code[pc];
    switch (i & 0x3f) {
      case Lua.OP_NEWTABLE -> allocate(TABLE + 16L * (i >>> 23) + (long) SLOT * (i >> 14 & 0x1ff));
      case Lua.OP_SETTABLE, Lua.OP_SETTABUP -> allocate(SLOT);
      case Lua.OP_SETLIST -> list(i, (i >> 6 & 0xff), top);
      case Lua.OP_CALL, Lua.OP_TAILCALL, Lua.OP_RETURN -> values(i, top);
      case Lua.OP_CLOSURE -> allocate(TABLE + 32L * frame.prototype.p[i >>> 14].upvalues.length);
      case Lua.OP_CONCAT -> concat(frame.registers, i >>> 23, i >> 14 & 0x1ff);
      default -> {}
    }
  }

  /**
   * As many values as there are, passed on: LuaJ keeps them as a chain of earlier ones, which grows
   * with every call and is walked by the next one.
   */
  private void values(int instruction, int top) {
    if (instruction >>> 23 == 0) {
      int count = Math.max(0, top - (instruction >> 6 & 0xff));
      work(count);
      allocate(16L * count);
    }
  }

  private void list(int instruction, int register, int top) {
    int given = instruction >>> 23;
    int count = given == 0 ? top - register - 1 : given;
    work(count);
    allocate(16L * count);
  }

  /** Writes numbers as text here, because LuaJ would write them with the precision of a float. */
  private void concat(LuaValue[] registers, int from, int to) {
    long length = 0;
    for (int r = from; r <= to; r++) {
      if (registers[r].type() == LuaValue.TNUMBER) {
        registers[r] = NumberText.of(registers[r]);
      }
      length += registers[r] instanceof LuaString text ? text.m_length : 0;
    }
    work(length / 16);
    allocateText(length);
  }

  @Override
  public String traceback(int level) {
    return "";
  }
}
