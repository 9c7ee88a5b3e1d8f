package dev.slipway.testbed;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The real Ansible: the one on the PATH, else one installed with pip into the user's cache, once a
 * machine. A virtual environment cannot be moved, so it is built under a name of its own and a link
 * is put in place when it is complete; a lock keeps two builds apart.
 */
public final class TestAnsible {
  private static final String VERSION = "2.19";
  private static final String PROGRAM = "ansible-playbook";

  private TestAnsible() {}

  /** The value of PATH with which {@code ansible-playbook} is found. */
  public static String path() {
    return Found.PATH;
  }

  private static final class Found {
    static final String PATH = find();

    private static String find() {
      String path = System.getenv("PATH");
      boolean there =
          Arrays.stream(path.split(File.pathSeparator))
              .anyMatch(directory -> Files.isExecutable(Path.of(directory, PROGRAM)));
      try {
        return there ? path : installed().resolve("bin") + File.pathSeparator + path;
      } catch (IOException e) {
        throw new UncheckedIOException("cannot install Ansible for tests", e);
      }
    }
  }

  private static Path installed() throws IOException {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path root =
        (cache == null || cache.isBlank()
                ? Path.of(System.getProperty("user.home"), ".cache")
                : Path.of(cache))
            .resolve("slipway")
            .resolve("ansible");
    Path link = root.resolve(VERSION);
    Files.createDirectories(root);
    try (FileChannel file =
            FileChannel.open(
                root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = file.lock()) {
      if (!Files.isExecutable(link.resolve("bin").resolve(PROGRAM))) {
        removeUnfinished(root);
        Path built = build(root.resolve(VERSION + "-" + UUID.randomUUID()));
        Path fresh = root.resolve("link-" + UUID.randomUUID());
        Files.createSymbolicLink(fresh, built.getFileName());
        Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE);
      }
    }
    return link;
  }

  private static Path build(Path directory) throws IOException {
    run("python3", "-m", "venv", directory.toString());
    run(
        directory.resolve("bin").resolve("pip").toString(),
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "ansible-core==" + VERSION + ".*");
    return directory;
  }

  private static void run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    try {
      if (process.waitFor() != 0) {
        throw new IOException(
            String.join(" ", command)
                + " failed; tests of ansible steps need it, or Ansible on the PATH:\n"
                + said);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while Ansible was installed", e);
    }
  }

  /** What an interrupted build left. */
  private static void removeUnfinished(Path root) throws IOException {
    try (Stream<Path> entries = Files.list(root)) {
      for (Path entry : entries.filter(e -> !e.endsWith("lock")).toList()) {
        try (Stream<Path> files = Files.walk(entry)) {
          files.sorted(java.util.Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        }
      }
    }
  }
}
