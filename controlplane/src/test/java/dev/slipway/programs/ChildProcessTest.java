package dev.slipway.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  private static final Duration SOON = Duration.ofMinutes(1);

  @TempDir Path directory;

  /** A program that starts a child, prints its process id and waits. */
  static final class Owner {
    public static void main(String[] output) throws Exception {
      Process child = ChildProcess.start(List.of("sleep", "1000"), Path.of(output[0]));
      System.out.println(child.pid());
      new CountDownLatch(1).await(); // until it is killed
    }
  }

  @Test
  void a_child_ends_when_its_owner_is_killed() throws IOException {
    Process owner =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Owner.class.getName(),
                directory.resolve("log").toString())
            .start();
    try (BufferedReader said = owner.inputReader()) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
      assertThat(child.isAlive()).isTrue();
      owner.destroyForcibly();
      await().atMost(SOON).until(() -> !child.isAlive());
    }
  }

  @Test
  void a_child_ends_with_its_own_code_and_says_what_it_wrote() throws Exception {
    Path log = directory.resolve("log");
    Process child = ChildProcess.start(List.of("sh", "-c", "echo some words; exit 7"), log);
    assertThat(child.waitFor()).isEqualTo(7);
    assertThat(Files.readString(log)).isEqualTo("some words\n");
  }

  @Test
  void nothing_of_a_child_stays_when_it_has_ended() throws Exception {
    Process child = ChildProcess.start(List.of("sleep", "1000"), directory.resolve("log"));
    await().atMost(SOON).until(() -> child.children().count() == 1);
    ProcessHandle reader = child.children().findFirst().orElseThrow();
    child.destroy();
    assertThat(child.waitFor()).isNotZero();
    await().atMost(SOON).until(() -> !reader.isAlive());
  }

  @Test
  void a_child_reads_nothing_and_its_arguments_are_no_shell_code() throws Exception {
    Path log = directory.resolve("log");
    assertThat(ChildProcess.start(List.of("cat"), log).waitFor()).isZero();
    assertThat(ChildProcess.start(List.of("echo", "$(id)", "; id"), log).waitFor()).isZero();
    assertThat(Files.readString(log)).isEqualTo("$(id) ; id\n");
  }
}
