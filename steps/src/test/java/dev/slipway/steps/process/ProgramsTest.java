package dev.slipway.steps.process;

import static dev.slipway.steps.Calls.FOREVER;
import static dev.slipway.steps.process.Program.Farewell.INTERRUPT_LEADER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.slipway.steps.Lines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(180)
class ProgramsTest {
  @TempDir Path directory;
  private final Lines log = new Lines();
  private final String mark = "test/" + System.nanoTime() + "/1";

  private Program script(String text, Duration timeout, String stdin) {
    return new Program(
        List.of("/bin/bash", "-c", text),
        directory,
        Map.of("PATH", "/usr/bin:/bin"),
        file(stdin),
        timeout,
        mark);
  }

  private Path file(String text) {
    try {
      return Files.writeString(directory.resolve("stdin"), text);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private Ending run(String text) throws InterruptedException {
    return Programs.run(script(text, Duration.ofSeconds(30), ""), FOREVER, log);
  }

  private long pidIn(String file) throws IOException {
    Path path = directory.resolve(file);
    await().until(() -> Files.exists(path) && !Files.readString(path).isBlank());
    return Long.parseLong(Files.readString(path).strip());
  }

  private static boolean alive(long pid) {
    try {
      return !Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void output_and_exit_code_arrive() throws InterruptedException {
    Ending ending = run("echo one; echo two >&2; printf three; exit 3");
    assertThat(ending).isEqualTo(new Ending.Exited(3, "one\nthree\n", "two"));
    assertThat(log.all()).contains("STDOUT one", "STDERR two", "STDOUT three");
  }

  @Test
  void output_that_an_error_kept_from_being_read_is_no_success() {
    assertThatThrownBy(
            () ->
                Programs.run(
                    script("yes | head -c 10000000", Duration.ofSeconds(30), ""),
                    FOREVER,
                    (stream, line) -> {
                      throw new StackOverflowError();
                    }))
        .hasMessageContaining("output of the program could not be read")
        .hasCauseInstanceOf(StackOverflowError.class);
  }

  @Test
  void standard_input_is_what_was_given_and_then_ends() throws InterruptedException {
    Ending ending = Programs.run(script("cat", Duration.ofSeconds(10), "a\nb"), FOREVER, log);
    assertThat(ending).isEqualTo(new Ending.Exited(0, "a\nb\n", ""));
  }

  @Test
  void the_environment_is_only_what_was_given() throws InterruptedException {
    Ending.Exited ending = (Ending.Exited) run("/usr/bin/env | cut -d= -f1 | sort");
    assertThat(ending.stdout().lines())
        .containsExactlyInAnyOrder(
            "PATH", "PWD", "SHLVL", "SLIPWAY_IDEMPOTENCY_KEY", "SLIPWAY_LAUNCH", "_");
  }

  @Test
  void a_hanging_program_is_stopped_with_its_children() throws Exception {
    Ending ending =
        Programs.run(
            script("sleep 300 & echo $! > child; wait", Duration.ofMillis(700), ""), FOREVER, log);
    assertThat(ending).isInstanceOf(Ending.TimedOut.class);
    assertThat(alive(pidIn("child"))).isFalse();
  }

  @Test
  void a_program_that_ignores_term_is_killed() throws Exception {
    Ending ending =
        Programs.run(
            script(
                "trap '' TERM; echo $$ > self; while :; do sleep 1; done",
                Duration.ofMillis(500),
                ""),
            FOREVER,
            log);
    assertThat(ending).isInstanceOf(Ending.TimedOut.class);
    assertThat(alive(pidIn("self"))).isFalse();
  }

  @Test
  void what_a_program_leaves_in_the_background_ends_with_it() throws Exception {
    Ending ending = run("sleep 300 & echo $! > left; echo done");
    assertThat(ending).isEqualTo(new Ending.Exited(0, "done\n", ""));
    long left = pidIn("left");
    await().until(() -> !alive(left));
  }

  @Test
  void a_child_that_made_a_session_of_its_own_is_found_by_its_mark() throws Exception {
    Ending ending =
        run(
            "setsid sh -c 'echo $$ > escaped; exec sleep 300' </dev/null >/dev/null 2>&1 & "
                + "while [ ! -s escaped ]; do sleep 0.05; done");
    assertThat(ending).isInstanceOf(Ending.Exited.class);
    long escaped = pidIn("escaped");
    await().until(() -> !alive(escaped));
  }

  @Test
  void an_interrupt_ends_the_tree_before_it_returns() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    AtomicReference<Object> result = new AtomicReference<>();
    Thread thread =
        Thread.startVirtualThread(
            () -> {
              try {
                result.set(run("echo $$ > self; sleep 300"));
              } catch (InterruptedException e) {
                result.set("interrupted");
              }
              done.countDown();
            });
    long self = pidIn("self");
    thread.interrupt();
    done.await();
    assertThat(result.get()).isEqualTo("interrupted");
    assertThat(alive(self)).isFalse();
  }

  @Test
  void a_program_that_ignores_farewells_is_killed_when_it_is_interrupted_again() throws Exception {
    Thread step =
        Thread.startVirtualThread(
            () -> {
              try {
                run(
                    "trap 'echo yes > asked; sleep 8; echo yes > finished; exit' TERM;"
                        + " echo $$ > self; while :; do sleep 0.1; done");
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    long self = pidIn("self");
    step.interrupt();
    await().until(() -> Files.exists(directory.resolve("asked")));

    step.interrupt();
    step.join();

    assertThat(alive(self)).isFalse();
    assertThat(directory.resolve("finished")).doesNotExist();
  }

  @Test
  void a_program_that_writes_down_what_it_did_is_interrupted_alone() throws Exception {
    Program program = script(CAREFUL, Duration.ofMillis(700), "").with(INTERRUPT_LEADER);
    assertThat(Programs.run(program, FOREVER, log)).isInstanceOf(Ending.TimedOut.class);
    assertThat(Files.readString(directory.resolve("end"))).isEqualTo("saved, child 0\n");
    assertThat(log.all()).contains("STDOUT saving");
  }

  @Test
  void it_may_still_write_it_down_when_the_server_dies() throws Exception {
    Program program = script(CAREFUL, Duration.ofSeconds(30), "").with(INTERRUPT_LEADER);
    ProcessTree tree = ProcessTree.start(program, FOREVER);
    await().until(() -> Files.exists(directory.resolve("begun")));
    tree.stdout().close(); // as the kernel does with a dead process's files
    tree.stderr().close();
    tree.process().getOutputStream().close();
    await().until(() -> Files.exists(directory.resolve("end")));
    assertThat(Programs.leftoversEnded(mark, Duration.ofSeconds(10))).isTrue();
    assertThat(Files.readString(directory.resolve("end"))).isEqualTo("saved, child 0\n");
  }

  @Test
  void a_child_with_a_session_of_its_own_does_not_outlive_a_dead_server() throws Exception {
    Program program =
        script(
            "setsid sh -c 'echo $$ > escaped; exec sleep 300' </dev/null >/dev/null 2>&1 & sleep"
                + " 300",
            Duration.ofSeconds(30),
            "");
    ProcessTree tree = ProcessTree.start(program, FOREVER);
    await().until(() -> Files.exists(directory.resolve("escaped")) && pidIn("escaped") > 0);
    long escaped = pidIn("escaped");
    tree.process().getOutputStream().close(); // as the kernel does with a dead process's files
    await().until(() -> !alive(escaped));
    await().until(() -> !tree.process().isAlive());
  }

  /** On INT it waits for its child, which exits with 0 unless it is signalled too. */
  private static final String CAREFUL =
      """
      sleep 1.5 & child=$!
      trap 'echo saving; wait $child; echo "saved, child $?" > ending; mv ending end; exit 1' INT
      touch begun
      wait $child
      sleep 30
      """;

  @Test
  void a_flood_of_output_does_not_fill_the_memory() throws InterruptedException {
    Ending ending = run("head -c 50000000 /dev/zero | tr '\\0' 'x'; echo; echo OUTPUT_a=1");
    assertThat(ending).isInstanceOf(Ending.Exited.class);
    assertThat(((Ending.Exited) ending).stdout())
        .hasSizeLessThan(1_100_000)
        .endsWith("OUTPUT_a=1\n");
  }

  @Test
  void a_program_that_is_not_there_says_so() throws InterruptedException {
    Program missing =
        new Program(
            List.of("/no/such/program"),
            directory,
            Map.of(),
            file(""),
            Duration.ofSeconds(5),
            mark);
    Ending.Exited ending = (Ending.Exited) Programs.run(missing, FOREVER, log);
    assertThat(ending.code()).isEqualTo(127);
    assertThat(ending.lastErrorLine()).contains("/no/such/program");
  }

  @Test
  void processes_of_an_earlier_attempt_are_found_again() throws Exception {
    ProcessBuilder builder = new ProcessBuilder("/bin/sh", "-c", "exec sleep 300");
    builder.environment().put(Program.MARK, mark);
    Process orphan = builder.start();
    await()
        .until(
            () ->
                ProcessHandle.of(orphan.pid())
                    .flatMap(p -> p.info().command())
                    .filter(c -> c.endsWith("sleep"))
                    .isPresent());
    assertThat(Programs.endLeftovers(mark, FOREVER)).isPositive();
    assertThat(orphan.waitFor()).isEqualTo(137);
  }

  /** An old owner that wakes up late shares the machine and the key with its successor. */
  @Test
  void what_is_ended_is_this_launch_and_no_other_of_the_same_mark() throws Exception {
    Program program = script("sleep 300", Duration.ofMinutes(1), "");
    ProcessTree former = ProcessTree.start(program, FOREVER);
    ProcessTree successor = ProcessTree.start(program, FOREVER);
    try {
      former.stop();
      assertThat(former.process().isAlive()).isFalse();
      assertThat(successor.process().isAlive()).isTrue();
      assertThat(successor.ended(Duration.ofMillis(200))).isFalse();
    } finally {
      successor.sweep();
    }
  }

  @Test
  void what_is_stopped_before_it_has_begun_does_not_begin() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> run("touch effect")).isInstanceOf(InterruptedException.class);
    assertThat(directory.resolve("effect")).doesNotExist();
    assertThat(ProcessTable.now().marked(mark)).isEmpty();
  }

  @Test
  void a_former_owner_of_the_run_ends_no_process_that_carries_its_mark() throws Exception {
    ProcessTree successor =
        ProcessTree.start(script("sleep 300", Duration.ofMinutes(1), ""), FOREVER);
    try {
      assertThatThrownBy(
              () ->
                  Programs.endLeftovers(
                      mark,
                      () -> {
                        throw new InterruptedException("the lease has ended");
                      }))
          .isInstanceOf(InterruptedException.class);
      assertThat(successor.ended(Duration.ofMillis(200))).isFalse();
    } finally {
      successor.sweep();
    }
  }
}
