package dev.slipway.server;

import static java.nio.file.attribute.PosixFilePermission.GROUP_EXECUTE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/** Keeps the server's private files from other users of the machine. */
final class Privacy {
  private static final Set<PosixFilePermission> OF_THE_OWNER =
      EnumSet.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);
  private static final Set<PosixFilePermission> OF_EVERYBODY =
      EnumSet.of(
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_EXECUTE);

  private Privacy() {}

  /**
   * Removes group and other permissions from a file or directory, with a warning. Where that is not
   * allowed, as in directories that an orchestrator provides, the group's may stay; a path that is
   * open to every user is a {@link StartFailure}.
   */
  static void ensure(Path path, Consumer<String> warning) throws IOException {
    if (!Files.exists(path)
        || !path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    Set<PosixFilePermission> now = Files.getPosixFilePermissions(path);
    Set<PosixFilePermission> wanted = EnumSet.copyOf(OF_THE_OWNER);
    wanted.retainAll(now);
    boolean traversable = Files.isDirectory(path) && now.contains(GROUP_EXECUTE);
    if (traversable) {
      // The group of the user that executes steps may traverse it, but not list it.
      wanted.add(GROUP_EXECUTE);
    }
    if (wanted.equals(now)) {
      return;
    }
    wanted.remove(GROUP_EXECUTE);
    String modes = PosixFilePermissions.toString(now);
    try {
      Files.setPosixFilePermissions(path, wanted);
      warning.accept(
          path
              + " was open to other users ("
              + modes
              + ") and is no longer."
              + (Files.isDirectory(path) ? "" : " It may have been read by them."));
    } catch (IOException e) {
      if (now.stream().anyMatch(OF_EVERYBODY::contains)) {
        throw StartFailure.surroundings(
            path
                + " is open to every user ("
                + modes
                + ") and its permissions cannot be changed. "
                + wayOut(path)
                + "Or run 'chmod go= "
                + path
                + "' as its owner.",
            e);
      }
      warning.accept(path + " is open to its group (" + modes + "), which cannot be changed.");
    }
  }

  /**
   * The root of a volume may belong to another user; a new directory inside it belongs to this one.
   */
  private static String wayOut(Path path) {
    String inside = path.resolve("data").toString();
    return Files.isDirectory(path)
        ? "Use a directory inside, which will be private: --data %1$s or SLIPWAY_DATA=%1$s. "
            .formatted(inside)
        : "Put a copy in its place that belongs to the server alone. ";
  }
}
