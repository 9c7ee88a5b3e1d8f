package dev.slipway.testbed;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * A Python package that pip installs into the user's cache, once per machine. A virtual environment
 * cannot be moved, so it is built under a unique name and linked when it is complete; a lock
 * serializes concurrent builds.
 */
record PythonPackage(String name, String version, String requirement) {

  /** The virtual environment that holds it. */
  Path directory() throws IOException {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path root =
        (cache == null || cache.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(cache))
            .resolve("slipway")
            .resolve(name);
    Path link = root.resolve(version);
    Files.createDirectories(root);
    try (FileChannel file =
            FileChannel.open(
                root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = file.lock()) {
      if (!Files.isExecutable(link.resolve("bin").resolve("python3"))) {
        removeUnfinished(root);
        Path built = build(root.resolve(version + "-" + UUID.randomUUID()));
        Path fresh = root.resolve("link-" + UUID.randomUUID());
        Files.createSymbolicLink(fresh, built.getFileName());
        Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE);
      }
    }
    return link;
  }

  private Path build(Path directory) throws IOException {
    run("python3", "-m", "venv", directory.toString());
    run(
        directory.resolve("bin").resolve("pip").toString(),
        "install",
        "--quiet",
        "--disable-pip-version-check",
        requirement);
    return directory;
  }

  private void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    try {
      if (process.waitFor() != 0) {
        throw new IOException(
            String.join(" ", command)
                + " failed; tests need it, or "
                + name
                + " on the PATH:\n"
                + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while " + name + " was installed", e);
    }
  }

  /** Removes what an interrupted build left. */
  private static void removeUnfinished(Path root) throws IOException {
    try (Stream<Path> entries = Files.list(root)) {
      for (Path entry : entries.filter(e -> !e.endsWith("lock")).toList()) {
        try (Stream<Path> files = Files.walk(entry)) {
          files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        }
      }
    }
  }
}
