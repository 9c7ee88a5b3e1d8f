package dev.slipway.git;

import dev.slipway.git.Checkouts.Checkout;
import dev.slipway.git.GitFailure.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.RefUpdate;

/**
 * What this machine has of repositories elsewhere: a bare copy of each, with the commits that were
 * ever used, and the files of those in use. Whatever happens to the other side, a commit that was
 * fetched once stays: a ref of our own holds it.
 */
public final class RepositoryCopies {
  private static final String OWN_REFS = "refs/slipway/commits/";

  private final Path directory;
  private final GitLimits limits;
  private final Checkouts checkouts;
  private final Map<String, Object> locks = new ConcurrentHashMap<>();

  /** Below that directory, which no other process uses; what a crash left there is removed. */
  public RepositoryCopies(Path directory, GitLimits limits, TreeLimits tree) {
    this.directory = directory.resolve("repositories");
    this.limits = limits;
    this.checkouts = new Checkouts(directory.resolve("checkouts"), tree);
    removeLeftovers();
  }

  public Checkouts checkouts() {
    return checkouts;
  }

  /** The files of a commit; without a connection when it was ever fetched. */
  public Checkout files(Remote remote, String commit) {
    return checkouts.find(commit).orElseGet(() -> fetched(remote, commit));
  }

  /** The files of a commit if they can be had without asking anybody. */
  public Optional<Checkout> files(RepositoryUrl url, String commit) {
    Optional<Checkout> there = checkouts.find(commit);
    if (there.isPresent() || !Files.isDirectory(place(url))) {
      return there;
    }
    try (BoundedRepository copy = BoundedRepository.open(place(url), limits)) {
      return copy.getRefDatabase().exactRef(OWN_REFS + commit) == null
          ? Optional.empty()
          : Optional.of(checkouts.of(copy, commit));
    } catch (IOException e) {
      throw broken(url, e);
    }
  }

  private Checkout fetched(Remote remote, String commit) {
    synchronized (locks.computeIfAbsent(remote.url().text(), u -> new Object())) {
      try (BoundedRepository copy = BoundedRepository.open(place(remote.url()), limits)) {
        remote.fetch(copy, commit);
        RefUpdate hold = copy.updateRef(OWN_REFS + commit);
        hold.setNewObjectId(ObjectId.fromString(commit));
        hold.forceUpdate();
        return checkouts.of(copy, commit);
      } catch (IOException e) {
        throw broken(remote.url(), e);
      }
    }
  }

  private Path place(RepositoryUrl url) {
    return directory.resolve(hash(url.text()) + ".git");
  }

  static String hash(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes), 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Locks and packs of a process that is no more would stand in our way for ever. */
  private void removeLeftovers() {
    try {
      Files.createDirectories(directory);
      try (Stream<Path> all = Files.walk(directory, 8)) {
        for (Path left : all.filter(RepositoryCopies::isLeftover).toList()) {
          Files.deleteIfExists(left);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isLeftover(Path path) {
    String name = path.getFileName().toString();
    return Files.isRegularFile(path)
        && (name.endsWith(".lock") || name.startsWith("incoming_") || name.startsWith(".probe-"));
  }

  private static GitFailure broken(RepositoryUrl url, IOException e) {
    return new GitFailure(
        Kind.BROKEN,
        "the copy of " + url + " on this machine cannot be used: " + e.getMessage(),
        "Check that the disk has room and that the data directory may be written.",
        e);
  }
}
