package dev.slipway.steps.process;

import static dev.slipway.steps.Calls.FOREVER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.resolve.ProcessLimits;
import dev.slipway.steps.Lines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Programs that exceed a limit. Each would stop by itself, far above its limit. */
@Timeout(180)
class RunawayTest {
  private static final long MIB = 1024 * 1024;

  @TempDir Path directory;
  private final Lines log = new Lines();
  private final String mark = "runaway/" + System.nanoTime() + "/1";

  private Ending run(ProcessLimits limits, String script) throws Exception {
    Path stdin = Files.writeString(directory.resolve("stdin"), "");
    Program program =
        new Program(
                List.of("/bin/bash", "-c", script),
                directory,
                Map.of("PATH", "/usr/bin:/bin"),
                stdin,
                Duration.ofSeconds(120),
                mark)
            .within(limits, directory);
    return Programs.run(program, FOREVER, log);
  }

  private Ending.Exceeded exceeded(ProcessLimits limits, String script) throws Exception {
    return (Ending.Exceeded) run(limits, script);
  }

  @AfterEach
  void nothing_is_left_running() {
    await().until(() -> ProcessTable.now().marked(mark).isEmpty());
  }

  @Test
  void a_text_that_grows_and_grows_is_stopped_at_the_memory_limit() throws Exception {
    Ending.Exceeded excess =
        exceeded(
            ProcessLimits.DEFAULT.withMemory(64 * MIB),
            "x=0123456789; while [ ${#x} -lt 400000000 ]; do x=$x$x; done; sleep 30");

    assertThat(excess.limit()).isEqualTo(Limit.MEMORY);
    assertThat(excess.measured()).isGreaterThan(64 * MIB);
    StepError error = excess.error();
    assertThat(error.code()).isEqualTo("memory-limit");
    assertThat(error.kind()).isEqualTo(StepError.Kind.PERMANENT);
    assertThat(error.message())
        .matches("killed because it used \\d+ MiB of memory; allowed are 64 MiB");
    assertThat(error.hint()).contains("engine.limits.memory");
  }

  @Test
  void the_memory_of_all_processes_counts_together() throws Exception {
    assertThat(
            exceeded(
                    ProcessLimits.DEFAULT.withMemory(64 * MIB),
                    """
                    for i in 1 2 3 4 5 6; do
                      python3 -c 'x = bytearray(24 << 20); import time; time.sleep(30)' &
                    done
                    wait\
                    """)
                .limit())
        .isEqualTo(Limit.MEMORY);
  }

  @Test
  void memory_that_processes_share_counts_once() throws Exception {
    Ending ending =
        run(
            ProcessLimits.DEFAULT.withMemory(96 * MIB),
            """
            python3 -c '
            import os, time
            x = bytearray(40 << 20)
            for i in range(0, len(x), 4096):
                x[i] = 1
            for i in range(4):
                if os.fork() == 0:
                    time.sleep(1.5)
                    os._exit(0)
            for i in range(4):
                os.wait()
            '\
            """);

    assertThat(ending).isEqualTo(new Ending.Exited(0, "", ""));
  }

  @Test
  void a_swarm_of_processes_is_stopped_at_its_limit() throws Exception {
    Ending.Exceeded excess =
        exceeded(
            ProcessLimits.DEFAULT.withProcesses(20),
            "for i in $(seq 50); do sleep 300 & done; wait");

    assertThat(excess.error().code()).isEqualTo("process-limit");
    assertThat(excess.error().message())
        .matches("killed because it used \\d+ processes and threads; allowed are 20");
    assertThat(excess.error().hint()).contains("engine.limits.processes");
  }

  @Test
  void a_swarm_that_scatters_into_sessions_of_its_own_is_stopped_too() throws Exception {
    Ending.Exceeded excess =
        exceeded(
            ProcessLimits.DEFAULT.withProcesses(20),
            """
            f() { [ "$1" -gt 50 ] && exec sleep 300; setsid bash -c "$(declare -f f); f $(($1 + 1))" & sleep 300; }
            f 1\
            """);

    assertThat(excess.limit()).isEqualTo(Limit.PROCESSES);
  }

  @Test
  void a_swarm_of_threads_counts_like_one_of_processes() throws Exception {
    assertThat(
            exceeded(
                    ProcessLimits.DEFAULT.withProcesses(20),
                    """
                    python3 -c '
                    import threading, time
                    for i in range(50):
                        threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
                    time.sleep(30)
                    '\
                    """)
                .limit())
        .isEqualTo(Limit.PROCESSES);
  }

  @Test
  void endless_output_is_stopped_at_its_limit() throws Exception {
    Ending.Exceeded excess = exceeded(ProcessLimits.DEFAULT.withOutput(3 * MIB), "yes to all");

    assertThat(excess.error().code()).isEqualTo("output-limit");
    assertThat(excess.error().message())
        .isEqualTo("killed because it used 3 MiB of output; allowed are 3 MiB");
  }

  @Test
  void a_line_without_an_end_and_binary_output_are_only_output() throws Exception {
    Ending.Exceeded excess =
        exceeded(
            ProcessLimits.DEFAULT.withOutput(2 * MIB),
            "head -c 1000000000 /dev/zero >&2; sleep 30");

    assertThat(excess.limit()).isEqualTo(Limit.OUTPUT);
    assertThat(log.all()).allSatisfy(line -> assertThat(line).hasSizeLessThan(70_000));
  }

  @Test
  void a_file_that_grows_and_grows_is_stopped_at_the_disk_limit() throws Exception {
    Ending.Exceeded excess =
        exceeded(
            ProcessLimits.DEFAULT.withDisk(8 * MIB),
            "mkdir deep; dd if=/dev/zero of=deep/big bs=1M count=64 2>/dev/null; sleep 30");

    assertThat(excess.error().code()).isEqualTo("disk-limit");
    assertThat(excess.error().message())
        .contains("MiB of files in its private directory; allowed are 8 MiB");
    assertThat(excess.error().hint()).contains("engine.limits.disk");
  }

  @Test
  void many_empty_files_use_disk_as_well() throws Exception {
    assertThat(
            exceeded(ProcessLimits.DEFAULT.withDisk(4 * MIB), "touch f{1..2000}; sleep 30").limit())
        .isEqualTo(Limit.DISK);
  }

  @Test
  void a_daemon_that_cleans_its_environment_and_goes_away_is_found() throws Exception {
    Ending ending =
        run(
            ProcessLimits.DEFAULT,
            """
            env -i /usr/bin/setsid /bin/sh -c 'echo $$ > daemon; exec sleep 300' </dev/null >/dev/null 2>&1 &
            until [ -s daemon ]; do sleep 0.1; done
            sleep 3\
            """);

    assertThat(ending).isInstanceOf(Ending.Exited.class);
    long daemon = Long.parseLong(Files.readString(directory.resolve("daemon")).strip());
    await().until(() -> !alive(daemon));
  }

  private static boolean alive(long pid) {
    try {
      return !Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void every_process_inherits_its_limits() throws Exception {
    ProcessLimits limits = new ProcessLimits(1 << 30, 100, 1 << 20, 1 << 30, 64, "");

    Ending ending = run(limits, "ulimit -n; ulimit -c; ulimit -Hc; cat /proc/self/oom_score_adj");

    assertThat(ending).isEqualTo(new Ending.Exited(0, "64\n0\n0\n1000\n", ""));
  }
}
