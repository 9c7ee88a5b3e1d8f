package dev.slipway.testbed;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The real Ansible: the one on the PATH, else one installed with pip into the user's cache, once
 * per machine.
 */
public final class TestAnsible {
  private static final String VERSION = "2.19";
  private static final String PROGRAM = "ansible-playbook";

  private TestAnsible() {}

  /** The PATH that has {@code ansible-playbook}. */
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
        return there
            ? path
            : new PythonPackage("ansible", VERSION, "ansible-core==" + VERSION + ".*")
                    .directory()
                    .resolve("bin")
                + File.pathSeparator
                + path;
      } catch (IOException e) {
        throw new UncheckedIOException("cannot install Ansible for tests", e);
      }
    }
  }
}
