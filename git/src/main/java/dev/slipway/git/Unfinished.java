package dev.slipway.git;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Directories that a process is still writing or removing. Their name contains the process id, so
 * that those of a dead process can be removed.
 */
final class Unfinished {
  private static final Logger LOG = LoggerFactory.getLogger(Unfinished.class);
  private static final Pattern NAME = Pattern.compile("\\.unfinished-(\\d+)-(\\d+)-.*");

  private Unfinished() {}

  static String name() {
    ProcessHandle own = ProcessHandle.current();
    return ".unfinished-" + own.pid() + "-" + startOf(own) + "-" + UUID.randomUUID();
  }

  static boolean isAbandoned(Path directory) {
    Matcher name = NAME.matcher(directory.getFileName().toString());
    if (!name.matches()) {
      return false;
    }
    Optional<ProcessHandle> process = ProcessHandle.of(Long.parseLong(name.group(1)));
    return process.isEmpty() || startOf(process.get()) != Long.parseLong(name.group(2));
  }

  private static long startOf(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  /** Removes it recursively, without following links. */
  static void remove(Path root) {
    if (!Files.exists(root)) {
      return;
    }
    try {
      Files.walkFileTree(
          root,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes about)
                throws IOException {
              TreeWriter.permit(directory, "rwx------");
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes about)
                throws IOException {
              Files.delete(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, IOException failed)
                throws IOException {
              Files.delete(directory);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      LOG.warn("{} cannot be removed: {}", root, e.getMessage());
    }
  }
}
