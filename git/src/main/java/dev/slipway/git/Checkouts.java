package dev.slipway.git;

import dev.slipway.git.GitFailure.Kind;
import dev.slipway.git.TreeListing.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.Repository;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of commits on this machine, each commit in a read-only directory that is written once.
 * It gets its name only when it is complete; the first use in a process compares its contents with
 * the recorded hash, and a corrupt one is written again.
 */
public final class Checkouts {
  private static final Logger LOG = LoggerFactory.getLogger(Checkouts.class);
  private static final String FILES = "files";
  private static final String CONTENT = "content";

  private final Path directory;
  private final TreeLimits limits;
  private final Map<String, Checkout> verified = new ConcurrentHashMap<>();

  /** A commit's files; {@code content} is the hash of all of them. */
  public record Checkout(String commit, Path files, String content) {}

  /** Keeps them below {@code directory}; removes what a crashed process left incomplete. */
  public Checkouts(Path directory, TreeLimits limits) {
    this.directory = directory;
    this.limits = limits;
    try {
      Files.createDirectories(directory);
      for (Path left : children()) {
        if (Unfinished.isAbandoned(left)) {
          Unfinished.remove(left);
        }
      }
    } catch (IOException e) {
      throw broken(e);
    }
  }

  /** The files of a commit, written from the repository if they are missing. */
  public Checkout of(Repository repository, String commit) {
    Optional<Checkout> there = find(commit);
    return there.isPresent() ? there.get() : make(repository, commit);
  }

  /** The files of a commit, if they exist and are intact. */
  public Optional<Checkout> find(String commit) {
    Checkout known = verified.get(commit);
    if (known != null && Files.isDirectory(known.files())) {
      return Optional.of(known);
    }
    Path place = place(commit);
    if (!Files.isDirectory(place)) {
      verified.remove(commit);
      return Optional.empty();
    }
    try {
      String written = Files.readString(place.resolve(CONTENT)).strip();
      if (written.equals(Contents.hash(place.resolve(FILES)))) {
        Checkout checkout = new Checkout(commit, place.resolve(FILES), written);
        Files.setLastModifiedTime(place.resolve(CONTENT), FileTime.from(Instant.now()));
        verified.put(commit, checkout);
        return Optional.of(checkout);
      }
    } catch (IOException e) {
      LOG.debug("checkout of {} is not complete: {}", commit, e.getMessage());
    }
    LOG.warn("the files of commit {} were changed or are damaged; checking them out again", commit);
    discard(commit);
    return Optional.empty();
  }

  private synchronized Checkout make(Repository repository, String commit) {
    Optional<Checkout> meanwhile = find(commit);
    if (meanwhile.isPresent()) {
      return meanwhile.get();
    }
    List<Entry> entries = TreeListing.of(repository, commit, limits);
    Path fresh = directory.resolve(Unfinished.name());
    try {
      Path files = Files.createDirectories(fresh.resolve(FILES));
      new TreeWriter(repository, files, TreeMode.READ_ONLY).write(entries);
      String content = Contents.hash(files);
      TreeWriter.permit(files, "r-xr-xr-x");
      Files.writeString(fresh.resolve(CONTENT), content + "\n");
      appear(fresh, commit);
      Checkout checkout = new Checkout(commit, place(commit).resolve(FILES), content);
      verified.put(commit, checkout);
      return checkout;
    } catch (InvalidPathException e) {
      throw new GitFailure(
          Kind.UNSAFE_CONTENT,
          "commit " + commit + " has a name that this machine cannot write: " + e.getReason(),
          "Rename it, or start the server with a UTF-8 locale.",
          e);
    } catch (IOException e) {
      throw broken(e);
    } finally {
      Unfinished.remove(fresh);
    }
  }

  /** Another process may have written the same commit concurrently: its directory is equivalent. */
  private void appear(Path fresh, String commit) throws IOException {
    try {
      Files.move(fresh, place(commit), StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!Files.isDirectory(place(commit))) {
        throw e;
      }
    }
  }

  /** Removes checkouts that are not needed and whose use has not begun since {@code since}. */
  public void keepOnly(Set<String> needed, Instant since) {
    try {
      for (Path child : children()) {
        String commit = child.getFileName().toString();
        if (RemoteRefs.isCommit(commit) && !needed.contains(commit) && usedBefore(child, since)) {
          LOG.info("removing the files of commit {}: nothing needs them", commit);
          discard(commit);
        }
      }
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private static boolean usedBefore(Path child, Instant since) throws IOException {
    Path content = child.resolve(CONTENT);
    return !Files.exists(content)
        || Files.getLastModifiedTime(content, LinkOption.NOFOLLOW_LINKS)
            .toInstant()
            .isBefore(since);
  }

  /** Moves it aside first, so that no reader finds half of it. */
  private synchronized void discard(String commit) {
    verified.remove(commit);
    Path aside = directory.resolve(Unfinished.name() + UUID.randomUUID());
    try {
      Files.move(place(commit), aside, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      LOG.debug("checkout of {} is gone already", commit);
    }
    Unfinished.remove(aside);
  }

  /** The path of a directory in the checkout of a commit. */
  Path path(String commit, String inside) {
    return place(commit).resolve(FILES).resolve(inside).normalize();
  }

  private Path place(String commit) {
    if (!RemoteRefs.isCommit(commit)) {
      throw new IllegalArgumentException("no commit: " + commit);
    }
    return directory.resolve(commit);
  }

  private List<Path> children() throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children.toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private GitFailure broken(IOException e) {
    return new GitFailure(
        Kind.BROKEN,
        "files of a repository cannot be kept at " + directory + ": " + e.getMessage(),
        "Check that the disk has room and that the directory may be written.",
        e);
  }
}
