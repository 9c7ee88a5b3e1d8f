package dev.slipway.git;

import dev.slipway.git.TreeListing.Entry;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;

/**
 * Writes the entries of a commit into an empty directory. Links are written last, so that none is
 * followed.
 *
 * @param root exists and is empty
 */
public record TreeWriter(Repository repository, Path root, TreeMode mode) {

  /** Writes them all. */
  public void write(List<Entry> entries) throws IOException {
    try (ObjectReader reader = repository.newObjectReader()) {
      for (Entry entry : entries) {
        Path path = root.resolve(entry.path());
        switch (entry.type()) {
          case DIRECTORY, SUBMODULE -> Files.createDirectory(path);
          case FILE -> file(reader, entry, path, mode.file);
          case PROGRAM -> file(reader, entry, path, mode.program);
          case LINK -> {
            // written below
          }
        }
      }
    }
    for (Entry entry : entries) {
      if (entry.type() == TreeListing.Type.LINK) {
        Files.createSymbolicLink(root.resolve(entry.path()), Path.of(entry.link()));
      }
    }
    // children before parents: a read-only directory accepts no more files
    for (Entry entry : entries.reversed()) {
      if (entry.type() == TreeListing.Type.DIRECTORY
          || entry.type() == TreeListing.Type.SUBMODULE) {
        permit(root.resolve(entry.path()), mode.directory);
      }
    }
  }

  private static void file(ObjectReader reader, Entry entry, Path path, String permissions)
      throws IOException {
    try (OutputStream out = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW)) {
      reader.open(entry.id()).copyTo(out);
    }
    permit(path, permissions);
  }

  static void permit(Path path, String permissions) throws IOException {
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
  }
}
