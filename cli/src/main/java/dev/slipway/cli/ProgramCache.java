package dev.slipway.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * PostgreSQL's programs of an earlier test, so that not every test unpacks them anew. They lie in
 * the user's cache directory; without one each test does its own unpacking.
 */
final class ProgramCache {
  private static final String PROGRAMS = "postgresql-";

  private ProgramCache() {}

  /** Links what is there into the data directory of a server that is about to start. */
  static void lend(Path data) {
    try {
      Files.createDirectories(data);
      for (Path programs : in(directory())) {
        Files.createSymbolicLink(data.resolve(programs.getFileName()), programs);
      }
    } catch (IOException | UnsupportedOperationException e) {
      // then the server unpacks its own
    }
  }

  /** Keeps what a server has unpacked; moving is quick and leaves nothing half done. */
  static void keep(Path data) {
    try {
      Files.createDirectories(directory());
      for (Path programs : in(data)) {
        Path kept = directory().resolve(programs.getFileName());
        if (Files.isDirectory(programs, LinkOption.NOFOLLOW_LINKS) && !Files.exists(kept)) {
          Files.move(programs, kept);
        }
      }
    } catch (IOException e) {
      // then the next server unpacks its own
    }
  }

  private static List<Path> in(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(p -> p.getFileName().toString().startsWith(PROGRAMS)).toList();
    }
  }

  private static Path directory() {
    String base = System.getenv("XDG_CACHE_HOME");
    Path cache =
        base == null || base.isBlank()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(base);
    return cache.resolve("slipway");
  }
}
