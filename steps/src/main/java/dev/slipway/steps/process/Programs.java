package dev.slipway.steps.process;

import dev.slipway.engine.execute.StepLog;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Runs programs to their end, whatever that is. */
public final class Programs {
  /** A step that writes more than this is broken, not talkative. */
  private static final long FLOOD = 256L * 1024 * 1024;

  private static final Duration LOOK = Duration.ofMillis(500);

  private Programs() {}

  /** Runs it; when the thread is interrupted the whole tree is ended before this throws. */
  public static Ending run(Program program, StepLog log) throws InterruptedException {
    ProcessTree tree;
    try {
      tree = ProcessTree.start(program);
    } catch (IOException e) {
      return new Ending.NotStarted(e.getMessage());
    }
    AtomicLong total = new AtomicLong();
    OutputReader out =
        new OutputReader(tree.process().getInputStream(), StepLog.Stream.STDOUT, log, total);
    OutputReader err =
        new OutputReader(tree.process().getErrorStream(), StepLog.Stream.STDERR, log, total);
    Thread outThread = Thread.startVirtualThread(out);
    Thread errThread = Thread.startVirtualThread(err);
    try {
      Ending stopped = watch(tree, program.timeout(), total, err);
      tree.sweep();
      outThread.join();
      errThread.join();
      return stopped != null
          ? stopped
          : new Ending.Exited(tree.process().exitValue(), out.tail(), err.lastLine());
    } catch (InterruptedException e) {
      tree.stop();
      throw e;
    }
  }

  /** Null when the program ended by itself. */
  private static Ending watch(
      ProcessTree tree, Duration timeout, AtomicLong total, OutputReader err)
      throws InterruptedException {
    long until = System.nanoTime() + timeout.toNanos();
    while (true) {
      long left = until - System.nanoTime();
      if (tree.ended(left < LOOK.toNanos() ? Duration.ofNanos(Math.max(1, left)) : LOOK)) {
        return null;
      }
      if (total.get() > FLOOD) {
        tree.stop();
        return new Ending.Flooded(total.get());
      }
      if (System.nanoTime() >= until) {
        tree.stop();
        return new Ending.TimedOut(err.lastLine());
      }
    }
  }

  /** Whether everything of an earlier attempt with this mark has ended by itself by then. */
  public static boolean leftoversEnded(String mark, Duration within) throws InterruptedException {
    return ProcessTree.endedByItself(mark, within);
  }

  /** Ends whatever an earlier attempt with this mark left running on this machine. */
  public static int endLeftovers(String mark) {
    return ProcessTree.killMarked(mark);
  }
}
