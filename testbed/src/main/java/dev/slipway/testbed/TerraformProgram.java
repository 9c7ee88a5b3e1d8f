package dev.slipway.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real terraform or tofu: the one on the PATH, else OpenTofu, built once per machine from its
 * published source as pinned in {@code testbed/opentofu/go.sum}.
 */
public final class TerraformProgram {
  private static final String VERSION = "v1.10.10";

  private TerraformProgram() {}

  /** One of them, built if necessary. */
  public static Path any() {
    return installed("terraform").or(() -> installed("tofu")).orElseGet(TerraformProgram::built);
  }

  /** All that are installed. */
  public static List<Path> all() {
    Optional<Path> tofu =
        installed("tofu").or(() -> Optional.of(cached()).filter(Files::isExecutable));
    List<Path> there = Stream.concat(installed("terraform").stream(), tofu.stream()).toList();
    return there.isEmpty() ? List.of(built()) : there;
  }

  private static Optional<Path> installed(String name) {
    return Arrays.stream(System.getenv("PATH").split(":"))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Path cached() {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path home = Path.of(System.getProperty("user.home"), ".cache");
    Path base = cache == null || cache.isBlank() ? home : Path.of(cache);
    return base.resolve("slipway").resolve("opentofu").resolve(VERSION).resolve("tofu");
  }

  /** Builds it if it is not built yet; a lock serializes concurrent builds. */
  private static Path built() {
    Path program = cached();
    try {
      Files.createDirectories(program.getParent());
      try (FileChannel channel =
              FileChannel.open(
                  program.resolveSibling("lock"),
                  StandardOpenOption.CREATE,
                  StandardOpenOption.WRITE);
          FileLock _ = channel.lock()) {
        if (!Files.isExecutable(program)) {
          build(program);
        }
      }
      return program;
    } catch (IOException e) {
      throw new UncheckedIOException("OpenTofu cannot be built", e);
    }
  }

  private static void build(Path program) throws IOException {
    Path unfinished = program.resolveSibling("tofu.unfinished");
    ProcessBuilder go =
        new ProcessBuilder(
            "go",
            "build",
            "-trimpath",
            "-ldflags",
            "-s -w -X github.com/opentofu/opentofu/version.dev=no",
            "-o",
            unfinished.toString(),
            "github.com/opentofu/opentofu/cmd/tofu");
    go.directory(source().toFile()).inheritIO();
    go.environment().put("CGO_ENABLED", "0");
    try {
      Process building = go.start();
      if (!building.waitFor(20, TimeUnit.MINUTES) || building.exitValue() != 0) {
        building.destroyForcibly();
        throw new IOException("go build failed: see its output above");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    Files.move(unfinished, program, StandardCopyOption.ATOMIC_MOVE);
  }

  /** The Go module that pins it, found from the working directory of the tests. */
  private static Path source() throws IOException {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      Path found = at.resolve("testbed").resolve("opentofu");
      if (Files.exists(found.resolve("go.mod"))) {
        return found;
      }
    }
    throw new IOException("testbed/opentofu is not above the working directory");
  }
}
