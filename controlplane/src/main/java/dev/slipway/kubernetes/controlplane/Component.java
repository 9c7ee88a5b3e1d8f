package dev.slipway.kubernetes.controlplane;

import dev.slipway.programs.ChildProcess;
import dev.slipway.programs.ProgramException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A program of the control plane as a child process, which is started again when it ends by itself.
 * Its log is a file; what exceeds 8 MiB moves to a second file, which replaces the one of before.
 */
public final class Component {
  private static final Logger LOG = LoggerFactory.getLogger(Component.class);
  private static final Duration STOPPING = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
  private static final long LOG_BYTES = 8 << 20;
  private static final int TAIL = 8;

  private final String name;
  private final List<String> command;
  private final Path log;
  private final ControlPlane.Threads threads;
  private @Nullable Process process;
  private boolean wanted;

  Component(String name, List<String> command, Path log, ControlPlane.Threads threads) {
    this.name = name;
    this.command = command;
    this.log = log;
    this.threads = threads;
  }

  /** Starts it, unless it is running. */
  public synchronized void start() {
    if (!wanted) {
      wanted = true;
      Process fresh = launch();
      threads.start(name + "-watch", () -> watch(fresh));
    }
  }

  /** Ends it at once, as a crash of its machine would; it stays away until it is started. */
  public void kill() {
    end(Duration.ZERO);
  }

  /** Ends it in order, and forcibly when that takes too long. */
  public void stop() {
    end(STOPPING);
  }

  /** Whether the process runs. */
  public synchronized boolean runs() {
    return process != null && process.isAlive();
  }

  /** Whether it is meant to run. */
  synchronized boolean started() {
    return wanted;
  }

  /** Its process id; it changes with every start. */
  public synchronized long pid() {
    if (process == null) {
      throw new IllegalStateException(name + " was not started");
    }
    return process.pid();
  }

  /** The last lines of its log, for messages. */
  String tail() {
    try {
      List<String> lines = Files.readAllLines(log);
      return String.join("\n  ", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
    } catch (IOException e) {
      return "(no log: " + e.getMessage() + ")";
    }
  }

  Path log() {
    return log;
  }

  @Override
  public String toString() {
    return name;
  }

  private synchronized Process launch() {
    try {
      process =
          ChildProcess.builder(command).redirectOutput(Redirect.appendTo(log.toFile())).start();
      return process;
    } catch (IOException e) {
      throw new ProgramException(name + " cannot be started: " + e.getMessage(), e);
    }
  }

  private void end(Duration patience) {
    Process ending;
    synchronized (this) {
      wanted = false;
      ending = process;
    }
    if (ending == null) {
      return;
    }
    try {
      if (patience.isPositive()) {
        ending.destroy();
        ending.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
      }
      ending.destroyForcibly().waitFor();
    } catch (InterruptedException e) {
      ending.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private void watch(Process first) {
    Process watched = first;
    Duration pause = PAUSE;
    try {
      while (true) {
        long since = System.nanoTime();
        while (!watched.waitFor(1, TimeUnit.MINUTES)) {
          limitLog();
        }
        pause = System.nanoTime() - since > Duration.ofMinutes(1).toNanos() ? PAUSE : pause;
        if (!isCurrent(watched)) {
          return;
        }
        LOG.error(
            "{} of the embedded control plane ended by itself (code {}); starting it again in {} s. Its log: {}",
            name,
            watched.exitValue(),
            pause.toSeconds(),
            log);
        Thread.sleep(pause);
        Duration longer = pause.multipliedBy(2);
        pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
        watched = again(watched);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The next process, or the ended one when it is not wanted or cannot be started now. */
  private synchronized Process again(Process ended) {
    try {
      return isCurrent(ended) ? launch() : ended;
    } catch (ProgramException e) {
      LOG.error(e.getMessage());
      return ended;
    }
  }

  private synchronized boolean isCurrent(Process watched) {
    return wanted && process == watched;
  }

  /** The program appends to the file, so it can be cut while it is open. */
  private void limitLog() {
    Path earlier = log.resolveSibling(log.getFileName() + ".1");
    try {
      if (Files.size(log) > LOG_BYTES) {
        Files.copy(log, earlier, StandardCopyOption.REPLACE_EXISTING);
        FileChannel.open(log, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)
            .close();
      }
    } catch (IOException e) {
      LOG.warn("the log {} cannot be shortened: {}", log, e.getMessage());
    }
  }
}
