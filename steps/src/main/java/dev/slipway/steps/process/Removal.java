package dev.slipway.steps.process;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes a directory recursively, without following links. Makes read-only directories writable
 * first, since caches are often read-only. An entry that cannot be removed does not stop the
 * removal of the rest.
 */
public final class Removal extends SimpleFileVisitor<Path> {
  private static final Logger LOG = LoggerFactory.getLogger(Removal.class);

  private @Nullable IOException failure;

  private Removal() {}

  /** Removes it if it exists. */
  public static void of(Path root) throws IOException {
    if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Removal removal = new Removal();
    Files.walkFileTree(root, removal);
    if (removal.failure != null) {
      throw removal.failure;
    }
  }

  /**
   * Removes it if possible, and otherwise only logs: a caller must not fail because of files that
   * an earlier program left.
   */
  public static void attempt(Path root) {
    try {
      of(root);
    } catch (IOException e) {
      LOG.warn("{} cannot be removed: {}", root, reason(e));
    }
  }

  /** Leaves the path out where the exception gives a reason, since it may be very long. */
  private static String reason(IOException e) {
    return e instanceof FileSystemException fault && fault.getReason() != null
        ? fault.getReason()
        : e.toString();
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
    if (!Files.isWritable(directory) || !Files.isExecutable(directory)) {
      open(directory);
    }
    return FileVisitResult.CONTINUE;
  }

  /** A directory that may not be read fails before it is visited. */
  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
    boolean closed = Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS) && !Files.isReadable(file);
    if (closed && open(file)) {
      Files.walkFileTree(file, this);
    } else {
      note(e);
    }
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    delete(file);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e) {
    delete(directory);
    return FileVisitResult.CONTINUE;
  }

  private void delete(Path path) {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      note(e);
    }
  }

  private boolean open(Path directory) {
    try {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
      return true;
    } catch (IOException e) {
      note(e);
      return false;
    }
  }

  private void note(IOException e) {
    failure = failure == null ? e : failure;
  }
}
