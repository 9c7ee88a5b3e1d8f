package dev.slipway.steps.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.slipway.steps.Calls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScriptDirectoryTest {
  @TempDir Path data;

  /** Removes what Java cannot: paths of any length. */
  @AfterEach
  void clear() throws Exception {
    new ProcessBuilder("rm", "-rf", work().toString()).start().waitFor();
  }

  private Path work() {
    return data.resolve("work");
  }

  private Path left(String name) throws IOException {
    Path directory = Files.createDirectories(work().resolve(name));
    Files.writeString(directory.resolve("stdin"), "a value");
    return directory;
  }

  private Stream<String> names() throws IOException {
    try (Stream<Path> all = Files.list(work())) {
      return all.map(p -> p.getFileName().toString()).toList().stream();
    }
  }

  /** A tree too deep for any path to reach its end. */
  private static void deepen(Path directory) throws IOException {
    String half = ("x".repeat(200) + "/").repeat(15);
    Path upper = Files.createDirectories(directory.resolve(half));
    Path lower = Files.createDirectories(directory.resolve("lower").resolve(half));
    Files.move(directory.resolve("lower"), upper.resolve("lower"));
    assertThat(lower).doesNotExist();
  }

  @Test
  void what_cannot_be_removed_keeps_nothing_else() throws IOException {
    for (int i = 0; i < 20; i++) {
      left("attempt-" + i);
    }
    Path deep = left("attempt-deep");
    deepen(deep);

    ScriptDirectory.removeAll(data);

    assertThat(names()).containsExactly("attempt-deep");
    assertThat(deep.resolve("stdin")).doesNotExist();
  }

  @Test
  void an_attempt_that_is_over_is_not_disturbed_by_what_it_left() throws IOException {
    try (ScriptDirectory directory = ScriptDirectory.create(data, Calls.of("shell", Map.of()))) {
      deepen(directory.path());
    }
    assertThat(names()).as("left for the next start").hasSize(1);
  }

  @Test
  void directories_without_any_permission_are_removed_too() throws IOException {
    for (String mode : new String[] {"r-xr-xr-x", "---------", "-wx------"}) {
      Path inner = Files.createDirectories(left("attempt").resolve(mode).resolve("inner"));
      Files.writeString(inner.resolve("file"), "a value");
      Files.setPosixFilePermissions(inner, PosixFilePermissions.fromString(mode));
      Files.setPosixFilePermissions(inner.getParent(), PosixFilePermissions.fromString(mode));
    }

    ScriptDirectory.removeAll(data);

    assertThat(names()).isEmpty();
  }

  @Test
  void what_is_behind_a_link_stays() throws IOException {
    Path elsewhere = Files.createDirectories(data.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("file"), "kept");
    Files.createSymbolicLink(left("attempt").resolve("link"), elsewhere);

    ScriptDirectory.removeAll(data);

    assertThat(names()).isEmpty();
    assertThat(elsewhere.resolve("file")).hasContent("kept");
  }

  @Test
  void only_the_record_of_a_module_is_kept_whatever_scripts_call_their_files() throws Exception {
    ScriptDirectory signed = ScriptDirectory.create(data, Calls.of("terraform", Map.of()));
    UUID lock = UUID.randomUUID();
    signed.sign(lock);
    Files.createFile(left("flock").resolve("lock"));
    Files.writeString(left("of-its-length").resolve("lock"), "\u00ff".repeat(18));
    Files.writeString(left("long").resolve("lock"), lock + "\n".repeat(1000));
    Files.createDirectory(left("directory").resolve("lock"));
    Files.createSymbolicLink(left("link").resolve("lock"), signed.path().resolve("lock"));
    new ProcessBuilder("mkfifo", left("pipe").resolve("lock").toString()).start().waitFor();

    ScriptDirectory.removeAll(data);

    assertThat(names()).containsExactly(signed.path().getFileName().toString());
    assertThat(ScriptDirectory.signature(signed.path())).contains(lock);
  }
}
