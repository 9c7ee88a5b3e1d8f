package dev.slipway.git;

import dev.slipway.git.GitFailure.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.eclipse.jgit.errors.CorruptObjectException;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectChecker;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectReader;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.treewalk.TreeWalk;

/**
 * The entries of a commit, validated before any is written to a disk. Rejects names that are
 * special to Git or to a file system, names that differ only in case, links that leave the
 * repository, and trees over the limits.
 */
public final class TreeListing {
  private static final int LONGEST_LINK = 4096;

  private final Repository repository;
  private final String commit;
  private final TreeLimits limits;
  private final ObjectChecker names = new ObjectChecker().setSafeForMacOS(true);
  private final Map<String, String> folded = new HashMap<>();
  private final Map<String, String> links = new HashMap<>();
  private final List<Entry> entries = new ArrayList<>();
  private long bytes;

  /** The type of an entry. */
  public enum Type {
    FILE,
    PROGRAM,
    LINK,
    DIRECTORY,
    /** A commit of another repository; its files are not fetched. */
    SUBMODULE
  }

  /** An entry of the commit; {@code path} has slashes, {@code link} is the target of a link. */
  public record Entry(String path, Type type, ObjectId id, String link) {}

  private TreeListing(Repository repository, String commit, TreeLimits limits) {
    this.repository = repository;
    this.commit = commit;
    this.limits = limits;
  }

  /**
   * All entries; a directory comes before its content.
   *
   * @throws GitFailure when any entry must not be written
   */
  public static List<Entry> of(Repository repository, String commit, TreeLimits limits) {
    TreeListing listing = new TreeListing(repository, commit, limits);
    try {
      listing.read();
    } catch (IOException e) {
      throw new GitFailure(
          Kind.BROKEN,
          "commit " + commit + " cannot be read: " + e.getMessage(),
          "Check the repository with git fsck.",
          e);
    }
    new Links(commit, listing.links).check();
    return List.copyOf(listing.entries);
  }

  private void read() throws IOException {
    try (ObjectReader reader = repository.newObjectReader();
        RevWalk revisions = new RevWalk(reader);
        TreeWalk walk = new TreeWalk(repository, reader)) {
      walk.addTree(revisions.parseCommit(ObjectId.fromString(commit)).getTree());
      while (walk.next()) {
        Entry entry = entry(walk, reader);
        check(entry, walk);
        entries.add(entry);
        if (entry.type() == Type.DIRECTORY) {
          walk.enterSubtree();
        }
      }
    }
  }

  private Entry entry(TreeWalk walk, ObjectReader reader) throws IOException {
    String path = walk.getPathString();
    ObjectId id = walk.getObjectId(0);
    Type type = type(walk.getFileMode(0), path);
    String link = "";
    switch (type) {
      case FILE, PROGRAM -> count(path, reader.getObjectSize(id, ObjectReader.OBJ_ANY));
      case LINK -> {
        if (reader.getObjectSize(id, ObjectReader.OBJ_ANY) > LONGEST_LINK) {
          throw unsafe("the link '" + shown(path) + "' is too long");
        }
        link = new String(reader.open(id).getBytes(), StandardCharsets.UTF_8);
        links.put(path, link);
      }
      case DIRECTORY, SUBMODULE -> {
        // only the entry counts
      }
    }
    return new Entry(path, type, id, link);
  }

  private Type type(FileMode mode, String path) {
    if (mode == FileMode.TREE) {
      return Type.DIRECTORY;
    } else if (mode == FileMode.REGULAR_FILE) {
      return Type.FILE;
    } else if (mode == FileMode.EXECUTABLE_FILE) {
      return Type.PROGRAM;
    } else if (mode == FileMode.SYMLINK) {
      return Type.LINK;
    } else if (mode == FileMode.GITLINK) {
      return Type.SUBMODULE;
    }
    throw unsafe("'" + shown(path) + "' is of no kind that Git knows");
  }

  private void count(String path, long size) {
    bytes += size;
    if (bytes > limits.bytes()) {
      throw tooLarge("has more than " + limits.bytes() / (1 << 20) + " MiB of files");
    }
  }

  private void check(Entry entry, TreeWalk walk) {
    String path = entry.path();
    if (entries.size() >= limits.entries()) {
      throw tooLarge("has more than " + limits.entries() + " files");
    }
    if (path.length() > limits.pathLength() || walk.getDepth() > limits.depth()) {
      throw tooLarge("has a path that is too long or too deep: '" + shown(path) + "'");
    }
    byte[] name = walk.getNameString().getBytes(StandardCharsets.UTF_8);
    try {
      names.checkPathSegment(name, 0, name.length);
    } catch (CorruptObjectException e) {
      throw unsafe("'" + shown(path) + "' is a name that may not be used");
    }
    if (name.length > 255
        || path.chars().anyMatch(c -> c < ' ' || c == 0x7f || c == '\\' || c == 0xfffd)) {
      throw unsafe("'" + shown(path) + "' is a name that may not be used");
    }
    String same = Normalizer.normalize(path, Normalizer.Form.NFC).toLowerCase(Locale.ROOT);
    String other = folded.put(same, path);
    if (other != null) {
      throw unsafe(
          "'" + shown(other) + "' and '" + shown(path) + "' are one name on some file systems");
    }
  }

  private GitFailure tooLarge(String what) {
    return new GitFailure(
        Kind.TOO_LARGE,
        "commit " + commit + " " + what,
        "Keep what does not belong to it in a repository of its own.");
  }

  private GitFailure unsafe(String what) {
    return new GitFailure(
        Kind.UNSAFE_CONTENT,
        "commit " + commit + " is not used: " + what,
        "Rename or remove it in the repository.");
  }

  static String shown(String path) {
    String plain = path.replaceAll("\\p{Cntrl}", "?");
    return plain.length() > 200 ? plain.substring(0, 200) + "..." : plain;
  }
}
