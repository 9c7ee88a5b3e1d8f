package dev.slipway.programs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds a program of Go's own, which needs no download. */
class GoBuildTest {
  private static final String MOD = "module example.test/pins\n\ngo 1.20\n";
  private static final String SETTINGS =
      """
      cache = nowhere
      ldflags = -s -w
      program.test2json = cmd/test2json
      program.broken = cmd/no-such-program
      """;

  private final ConcurrentLinkedQueue<String> said = new ConcurrentLinkedQueue<>();
  @TempDir Path directory;

  @Test
  void a_program_is_built_once() throws Exception {
    Path program = build(SETTINGS).program("test2json");
    assertThat(program).isExecutable().hasFileName("test2json");
    build(SETTINGS).program("test2json");
    assertThat(said).hasSize(2);
    assertThat(said.element()).startsWith("building test2json with ");
    assertThat(files()).containsExactlyInAnyOrder("lock", "test2json", "test2json.pins");
  }

  @Test
  void other_pins_build_it_again() {
    build(SETTINGS).program("test2json");
    GoBuild other = build(SETTINGS + "# another pin\n");
    assertThat(other.cached("test2json")).isEmpty();
    other.program("test2json");
    assertThat(other.cached("test2json")).isPresent();
    assertThat(build(SETTINGS).cached("test2json")).isEmpty();
  }

  @Test
  void a_program_that_a_person_put_there_is_used() throws IOException {
    Path own = Files.createFile(Files.createDirectories(directory).resolve("test2json"));
    assertThat(own.toFile().setExecutable(true)).isTrue();
    assertThat(build(SETTINGS).program("test2json")).isEqualTo(own);
    assertThat(said).isEmpty();
  }

  @Test
  void what_an_interrupted_build_left_goes() throws IOException {
    Files.createFile(
        Files.createDirectories(directory.resolve(".unfinished123")).resolve("test2json"));
    build(SETTINGS).program("test2json");
    assertThat(files()).doesNotContain(".unfinished123");
  }

  @Test
  void builds_at_the_same_time_build_once() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Path>> all =
          IntStream.range(0, 4)
              .mapToObj(i -> threads.submit(() -> build(SETTINGS).program("test2json")))
              .toList();
      for (Future<Path> each : all) {
        assertThat(each.get()).isExecutable();
      }
    }
    assertThat(said.stream().filter(line -> line.startsWith("building"))).hasSize(1);
  }

  @Test
  void a_failed_build_says_what_go_said_and_leaves_no_program() throws IOException {
    assertThatThrownBy(() -> build(SETTINGS).program("broken"))
        .isInstanceOf(ProgramException.class)
        .hasMessageStartingWith("go build failed and said:\n")
        .hasMessageContaining("no-such-program");
    assertThat(files()).doesNotContain("broken");
  }

  private GoBuild build(String settings) {
    return new GoBuild(new GoModule(MOD, "", settings), directory, said::add);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(directory)) {
      return all.map(file -> file.getFileName().toString()).toList();
    }
  }
}
