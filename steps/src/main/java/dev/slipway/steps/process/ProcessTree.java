package dev.slipway.steps.process;

import dev.slipway.engine.execute.Lease;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running program and everything it started. The program leads a session and process group of its
 * own. It is begun by a word through a pipe whose other end only this server holds, so that nothing
 * lies between the question whether it may begin and its beginning. Beside it waits a watcher that
 * reads the same pipe: when that closes, because the step is over or because the server died
 * however suddenly, the watcher kills the group. Processes that left the group are found by the
 * mark in their environment: those of this launch by a name of its own, since whoever repeats the
 * attempt on this machine uses the same mark.
 */
final class ProcessTree {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessTree.class);

  /** How long a program may take to end by itself when asked to. */
  private static final Duration GRACE = Duration.ofSeconds(10);

  /** How long a process that was killed may take to go. */
  private static final Duration DEATH = Duration.ofSeconds(2);

  /**
   * Rounds in which processes are looked for to be halted; one that forks is halted in the next.
   */
  private static final int MOST_ROUNDS = 30;

  /**
   * Sets what each process inherits: no core dumps, so many open files, and that the kernel, short
   * of memory, ends it rather than the server. Keeps the pipe as descriptor 3, waits for the word,
   * starts the watcher and becomes the program, whose standard input is the file given first.
   */
  private static final String WRAPPER =
      "ulimit -c 0; ulimit -n \"$2\" 2>/dev/null; { echo 1000 >/proc/$$/oom_score_adj; }"
          + " 2>/dev/null; exec 3<&0 <\"$1\"; shift 2; read -r _ <&3 || exit; { read -r _ <&3;"
          + " %skill -9 0; } >/dev/null 2>&1 & exec 3<&-; exec \"$@\"";

  /** What the watcher does first for a program that wants to be interrupted. */
  private static final String INTERRUPT =
      "kill -INT $$; n=0; while [ $n -lt 50 ] && kill -0 $$; do sleep 0.2; n=$((n+1)); done; ";

  /** What the watcher does for children that left the group, as those of Ansible do. */
  private static final String ESCAPED =
      "read -r me _ </proc/self/stat; for p in $(grep -lzxF \""
          + Program.LAUNCH
          + "=$"
          + Program.LAUNCH
          + "\" /proc/[0-9]*/environ); do p=${p#/proc/}; p=${p%/environ};"
          + " [ $p = $me ] || kill -9 $p; done; ";

  private final Process process;
  private final Program program;
  private final String launch;
  private final InputStream stdout;
  private final InputStream stderr;
  private final long started;
  private final Set<ProcessTable.Id> known = new HashSet<>();

  private ProcessTree(
      Process process, Program program, String launch, InputStream stdout, InputStream stderr) {
    this.process = process;
    this.program = program;
    this.launch = launch;
    this.stdout = stdout;
    this.stderr = stderr;
    this.started = ProcessTable.startOf(process.pid());
  }

  /**
   * Starts it.
   *
   * @throws InterruptedException when the lease has ended: it was not begun
   */
  static ProcessTree start(Program program, Lease lease) throws IOException, InterruptedException {
    ProcessTree tree = prepare(program);
    try {
      lease.check();
      if (Thread.interrupted()) {
        throw new InterruptedException("stopped before it was begun");
      }
      tree.begin();
      return tree;
    } catch (InterruptedException e) {
      tree.sweep();
      throw e;
    }
  }

  private void begin() {
    try {
      process.getOutputStream().write('\n');
      process.getOutputStream().flush();
    } catch (IOException e) {
      LOG.debug("{} ended before it was begun; what it said tells why", program.mark());
    }
  }

  private static ProcessTree prepare(Program program) throws IOException {
    List<String> command = new ArrayList<>(IgnoredSignals.restored());
    if (SETSID != null) {
      command.add(SETSID);
    }
    StepUser.of(program.limits().user()).ifPresent(user -> command.addAll(user.command()));
    String wrapper =
        WRAPPER.formatted(
            (program.farewell() == Program.Farewell.INTERRUPT_LEADER ? INTERRUPT : "") + ESCAPED);
    command.addAll(List.of("/bin/sh", "-c", wrapper, "slipway-step", program.stdin().toString()));
    command.add(String.valueOf(program.limits().openFiles()));
    command.addAll(program.command());
    ProcessBuilder builder = new ProcessBuilder(command).directory(program.directory().toFile());
    builder.environment().clear();
    builder.environment().putAll(program.environment());
    builder.environment().put(Program.MARK, program.mark());
    String launch = UUID.randomUUID().toString();
    builder.environment().put(Program.LAUNCH, launch);
    return switch (program.farewell()) {
      case TERMINATE_ALL -> {
        Process process = builder.start();
        yield new ProcessTree(
            process, program, launch, process.getInputStream(), process.getErrorStream());
      }
      case INTERRUPT_LEADER -> intoFiles(builder, program, launch);
    };
  }

  private static ProcessTree intoFiles(ProcessBuilder builder, Program program, String launch)
      throws IOException {
    Path out = Files.createTempFile(program.storage(), "stdout", ".log");
    Path err = Files.createTempFile(program.storage(), "stderr", ".log");
    Process process = builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
    return new ProcessTree(
        process,
        program,
        launch,
        new FollowedFile(out, process::isAlive),
        new FollowedFile(err, process::isAlive));
  }

  InputStream stdout() {
    return stdout;
  }

  InputStream stderr() {
    return stderr;
  }

  Process process() {
    return process;
  }

  boolean ended(Duration within) throws InterruptedException {
    return process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * A word of farewell, some time to clean up, then KILL to whatever is left. Whoever interrupts
   * the wait has no more time to give: the run's lease ends.
   */
  void stop() {
    switch (program.farewell()) {
      case TERMINATE_ALL -> signal(Signals.TERM);
      case INTERRUPT_LEADER -> Signals.process(process.pid(), Signals.INT);
    }
    try {
      process.waitFor(GRACE);
      sweep();
    } catch (InterruptedException e) {
      sweep();
      Thread.currentThread().interrupt();
    }
  }

  /** Ends everything that is still there; the program itself has ended or must. */
  void sweep() {
    signal(Signals.KILL);
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      LOG.debug("the pipe of {} was closed already", program.mark());
    }
    killMembers();
  }

  /** Stops listening to what it says. */
  void deafen() {
    try {
      stdout.close();
      stderr.close();
    } catch (IOException e) {
      LOG.debug("the output of {} was closed already", program.mark());
    }
  }

  /** What belongs to it by that table. Who was once seen to belong to it does so for ever. */
  synchronized List<ProcessTable.Row> members(ProcessTable table) {
    List<ProcessTable.Row> rows = table.belonging(process.pid(), launch, known);
    known.clear();
    rows.forEach(row -> known.add(row.id()));
    return rows;
  }

  private void signal(int signal) {
    if (SETSID == null) {
      process.descendants().forEach(p -> Signals.process(p.pid(), signal));
      Signals.process(process.pid(), signal);
    } else if (!Signals.group(process.pid(), signal) && process.isAlive()) {
      // It leads no group yet.
      Signals.process(process.pid(), signal);
    }
  }

  /**
   * Kills every process of this machine that carries the mark; how many there were. As long as the
   * lease lasts they are what an earlier attempt left, and nobody else's.
   */
  static int killMarked(String mark, Lease lease) throws InterruptedException {
    Set<ProcessTable.Id> halted = new HashSet<>();
    for (int round = 0; round < MOST_ROUNDS; round++) {
      List<ProcessTable.Row> rows = ProcessTable.now().marked(mark);
      lease.check();
      if (!halt(rows, halted)) {
        break;
      }
    }
    end(halted);
    return halted.size();
  }

  /**
   * Kills what belongs to it, however fast it starts more: each is halted first, and only when no
   * new one has come up are they killed.
   */
  private void killMembers() {
    Set<ProcessTable.Id> halted = new HashSet<>();
    for (int round = 0; round < MOST_ROUNDS; round++) {
      if (!halt(members(ProcessTable.now(started)), halted)) {
        break;
      }
    }
    end(halted);
  }

  /**
   * Kills them and waits until they are gone, which takes a moment, unless something holds them.
   */
  private static void end(Set<ProcessTable.Id> halted) {
    halted.forEach(id -> Signals.process(id.pid(), Signals.KILL));
    long until = System.nanoTime() + DEATH.toNanos();
    boolean interrupted = false;
    while (System.nanoTime() < until && halted.stream().anyMatch(ProcessTable::there)) {
      try {
        Thread.sleep(2);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether there were some that had not been halted before. */
  private static boolean halt(List<ProcessTable.Row> rows, Set<ProcessTable.Id> halted) {
    boolean more = false;
    for (ProcessTable.Row row : rows) {
      if (halted.add(row.id())) {
        more = true;
        Signals.process(row.id().pid(), Signals.STOP);
      }
    }
    return more;
  }

  /** Waits until no process of this machine carries the mark; false when some still do then. */
  static boolean endedByItself(String mark, Duration within) throws InterruptedException {
    long until = System.nanoTime() + within.toNanos();
    while (!ProcessTable.now().marked(mark).isEmpty()) {
      if (System.nanoTime() >= until) {
        return false;
      }
      Thread.sleep(100);
    }
    return true;
  }

  private static final @Nullable String SETSID =
      Stream.of("/usr/bin/setsid", "/bin/setsid")
          .filter(p -> Files.isExecutable(Path.of(p)))
          .findFirst()
          .orElse(null);
}
