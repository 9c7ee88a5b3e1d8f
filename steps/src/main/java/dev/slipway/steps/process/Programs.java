package dev.slipway.steps.process;

import dev.slipway.engine.execute.RunLease;
import dev.slipway.engine.execute.StepLog;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Runs programs until they exit, fail or are stopped. */
public final class Programs {
  /** How often a program's use is measured. */
  private static final Duration LOOK = Duration.ofMillis(250);

  private static final Duration LAST_WORDS = Duration.ofSeconds(10);

  private Programs() {}

  /**
   * Runs it; when the thread is interrupted the whole process tree is killed before this throws.
   */
  public static Ending run(Program program, RunLease lease, StepLog log)
      throws InterruptedException {
    ProcessTree tree;
    try {
      tree = ProcessTree.start(program, lease);
    } catch (IOException e) {
      return new Ending.NotStarted(String.valueOf(e.getMessage()));
    }
    OutputCount total = new OutputCount(program.limits().output());
    OutputReader out = new OutputReader(tree.stdout(), StepLog.Stream.STDOUT, log, total);
    OutputReader err = new OutputReader(tree.stderr(), StepLog.Stream.STDERR, log, total);
    Thread outThread = Thread.startVirtualThread(out);
    Thread errThread = Thread.startVirtualThread(err);
    try {
      Ending stopped = watch(tree, program, total, err);
      tree.sweep();
      finish(tree, outThread, errThread);
      out.check();
      err.check();
      return stopped != null
          ? stopped
          : new Ending.Exited(tree.process().exitValue(), out.tail(), err.lastLine());
    } catch (InterruptedException e) {
      tree.stop();
      throw e;
    }
  }

  /** A process that survived all signals may hold the pipes open; this does not wait for it. */
  private static void finish(ProcessTree tree, Thread out, Thread err) throws InterruptedException {
    if (!out.join(LAST_WORDS) || !err.join(LAST_WORDS)) {
      tree.deafen();
    }
  }

  /** Null when the program exited by itself. */
  private static @Nullable Ending watch(
      ProcessTree tree, Program program, OutputCount total, OutputReader err)
      throws InterruptedException {
    Consumption consumption = new Consumption(tree, program, total);
    long until = System.nanoTime() + program.timeout().toNanos();
    while (true) {
      long left = until - System.nanoTime();
      if (tree.ended(left < LOOK.toNanos() ? Duration.ofNanos(Math.max(1, left)) : LOOK)) {
        // reading stops at the limit, so a program may die of SIGPIPE before the next measurement
        return consumption.flood().orElse(null);
      }
      Optional<Ending.Exceeded> excess = consumption.excess();
      if (excess.isPresent()) {
        return excess.get();
      }
      if (System.nanoTime() >= until) {
        tree.stop();
        return new Ending.TimedOut(err.lastLine());
      }
    }
  }

  /**
   * Whether all processes of an earlier attempt with this mark exit by themselves within that time.
   */
  public static boolean leftoversEnded(String mark, Duration within) throws InterruptedException {
    return ProcessTree.endedByItself(mark, within);
  }

  /** Kills the processes that an earlier attempt with this mark left on this machine. */
  public static int endLeftovers(String mark, RunLease lease) throws InterruptedException {
    return ProcessTree.killMarked(mark, lease);
  }
}
