package dev.slipway.steps.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * System calls that Java lacks: {@code kill}, because Java can signal a process but not a process
 * group, and the size of a memory page.
 */
final class ProcessSignals {
  static final int INT = 2;
  static final int TERM = 15;
  static final int KILL = 9;
  static final int STOP = 19;

  private static final MethodHandle KILL_CALL =
      link("kill", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
  private static final MethodHandle PAGE_SIZE_CALL =
      link("getpagesize", FunctionDescriptor.of(JAVA_INT));

  private ProcessSignals() {}

  /** Signals every process of the group; false when there is none. */
  static boolean group(long group, int signal) {
    return call((int) -group, signal);
  }

  /** Signals one process. */
  static void process(long pid, int signal) {
    call((int) pid, signal);
  }

  /** In bytes. */
  static int pageSize() {
    try {
      return (int) PAGE_SIZE_CALL.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException("the system does not say how large a memory page is", e);
    }
  }

  private static boolean call(int target, int signal) {
    try {
      return (int) KILL_CALL.invokeExact(target, signal) == 0;
    } catch (Throwable e) {
      throw new IllegalStateException("cannot signal process " + target, e);
    }
  }

  @SuppressWarnings("restricted")
  private static MethodHandle link(String name, FunctionDescriptor shape) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), shape);
  }
}
