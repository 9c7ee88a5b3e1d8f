package dev.slipway.steps.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The size of a directory, measured at intervals: the longer a measurement takes, the longer the
 * interval, so that measuring takes at most a twentieth of the time.
 */
final class DiskUse {
  private static final long LEAST_PAUSE = 1_000_000_000L;

  /** A file counts at least one block, so that many empty files count, too. */
  private static final long BLOCK = 4096;

  private final Path directory;
  private long next = System.nanoTime();
  private long last;

  DiskUse(Path directory) {
    this.directory = directory;
  }

  /** The bytes in use; the last measurement when the next is not due. */
  long bytes() {
    long started = System.nanoTime();
    if (started - next >= 0) {
      last = measure();
      long ended = System.nanoTime();
      next = ended + Math.max(LEAST_PAUSE, 20 * (ended - started));
    }
    return last;
  }

  private long measure() {
    long[] total = {0};
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              total[0] += Math.max(BLOCK, attributes.isRegularFile() ? attributes.size() : 0);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE; // deleted meanwhile, or unreadable
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException e) {
              total[0] += BLOCK;
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      return last;
    }
    return total[0];
  }
}
