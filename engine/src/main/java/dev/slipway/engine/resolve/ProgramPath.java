package dev.slipway.engine.resolve;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The directories in which programs are looked for, as in the variable PATH; read at each use. */
public record ProgramPath(String text) {
  /** The default search path for programs. */
  private static final String USUAL =
      "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

  /** The PATH that this process was started with: that of its steps, too. */
  public static ProgramPath ofThisProcess() {
    String own = System.getenv("PATH");
    return new ProgramPath(own == null || own.isBlank() ? USUAL : own);
  }

  /** The file that would be executed for a name, or for an absolute path. */
  public Optional<Path> find(String program) {
    try {
      if (program.contains("/")) {
        return Optional.of(Path.of(program)).filter(ProgramPath::executable);
      }
      return Arrays.stream(text.split(":"))
          .filter(directory -> directory.startsWith("/"))
          .map(directory -> Path.of(directory, program))
          .filter(ProgramPath::executable)
          .findFirst();
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  private static boolean executable(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
