package dev.slipway.steps.process;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/** The system call {@code kill}, because Java can signal a process but not a process group. */
final class Signals {
  static final int INT = 2;
  static final int TERM = 15;
  static final int KILL = 9;

  private static final MethodHandle KILL_CALL = link();

  private Signals() {}

  /** Signals every process of the group; nothing happens when it is empty. */
  static void group(long group, int signal) {
    call((int) -group, signal);
  }

  /** Signals one process. */
  static void process(long pid, int signal) {
    call((int) pid, signal);
  }

  private static void call(int target, int signal) {
    try {
      int ignored = (int) KILL_CALL.invokeExact(target, signal);
    } catch (Throwable e) {
      throw new IllegalStateException("cannot signal process " + target, e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle link() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("kill"),
        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
  }
}
