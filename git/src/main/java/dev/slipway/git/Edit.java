package dev.slipway.git;

import dev.slipway.git.GitFailure.Kind;
import java.nio.charset.StandardCharsets;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectChecker;
import org.jspecify.annotations.Nullable;

/** A change of one path of a repository. */
public sealed interface Edit {
  /**
   * The file has this content.
   *
   * @param mode null to leave it as it is, plain for a new file
   */
  record Write(byte[] content, @Nullable FileMode mode) implements Edit {
    /** Plain text. */
    public static Write of(String text) {
      return new Write(text.getBytes(StandardCharsets.UTF_8), null);
    }
  }

  /** Removes the file, or the directory with all its files. */
  record Remove() implements Edit {}

  /**
   * The path as Git writes it.
   *
   * @throws GitFailure when it is not a valid path of a repository
   */
  static String path(String written) {
    ObjectChecker names = new ObjectChecker().setSafeForMacOS(true).setSafeForWindows(true);
    String path = written.strip().replaceAll("^(\\./)+", "");
    byte[] bytes = path.getBytes(StandardCharsets.UTF_8);
    try {
      names.checkPath(bytes, 0, bytes.length);
    } catch (CorruptObjectException e) {
      throw refused(written);
    }
    if (bytes.length > TreeLimits.USUAL.pathLength()
        || path.chars().anyMatch(c -> c < ' ' || c == 0x7f || c == '\\')) {
      throw refused(written);
    }
    return path;
  }

  private static GitFailure refused(String path) {
    return new GitFailure(
        Kind.UNSAFE_CONTENT,
        "'" + TreeListing.shown(path) + "' cannot be the name of a file in a repository",
        "Write a path from the top of the repository, without '..', '.git' or a slash at its"
            + " beginning or end.");
  }
}
