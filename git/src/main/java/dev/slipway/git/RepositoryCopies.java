package dev.slipway.git;

import dev.slipway.engine.value.Sha256;
import dev.slipway.git.Checkouts.Checkout;
import dev.slipway.git.GitFailure.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.RefUpdate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The local copies of remote repositories: a bare copy of each, with the commits that were ever
 * used, and checkouts of those in use. A fetched commit stays as long as its copy is needed, even
 * if the remote deletes it: a ref of Slipway's own holds it.
 */
public final class RepositoryCopies {
  private static final Logger LOG = LoggerFactory.getLogger(RepositoryCopies.class);
  private static final String OWN_REFS = "refs/slipway/commits/";

  private final Path directory;
  private final GitLimits limits;
  private final Checkouts checkouts;
  private final Map<String, Object> locks = new ConcurrentHashMap<>();

  /**
   * Keeps them below that directory, which no other process uses; removes what a crash left there.
   */
  public RepositoryCopies(Path directory, GitLimits limits, TreeLimits tree) {
    this.directory = directory.resolve("repositories");
    this.limits = limits;
    this.checkouts = new Checkouts(directory.resolve("checkouts"), tree);
    removeLeftovers();
  }

  public Checkouts checkouts() {
    return checkouts;
  }

  /** The files of a commit; needs no connection if it was ever fetched. */
  public Checkout files(Remote remote, String commit) {
    return checkouts.find(commit).orElseGet(() -> fetched(remote, commit));
  }

  /** The files of a commit, if they are available without a connection. */
  public Optional<Checkout> files(RepositoryUrl url, String commit) {
    Optional<Checkout> there = checkouts.find(commit);
    if (there.isPresent() || !Files.isDirectory(place(url))) {
      return there;
    }
    try (BoundedRepository copy = BoundedRepository.open(place(url), limits)) {
      touch(place(url));
      return copy.getRefDatabase().exactRef(OWN_REFS + commit) == null
          ? Optional.empty()
          : Optional.of(checkouts.of(copy, commit));
    } catch (IOException e) {
      throw broken(url, e);
    }
  }

  private Checkout fetched(Remote remote, String commit) {
    synchronized (lock(place(remote.url()))) {
      try (BoundedRepository copy = BoundedRepository.open(place(remote.url()), limits)) {
        remote.fetch(copy, commit);
        RefUpdate hold = copy.updateRef(OWN_REFS + commit);
        hold.setNewObjectId(ObjectId.fromString(commit));
        hold.forceUpdate();
        touch(place(remote.url()));
        return checkouts.of(copy, commit);
      } catch (IOException e) {
        throw broken(remote.url(), e);
      }
    }
  }

  private Object lock(Path place) {
    return locks.computeIfAbsent(place.getFileName().toString(), p -> new Object());
  }

  private Path place(RepositoryUrl url) {
    return directory.resolve(hash(url.text()) + ".git");
  }

  /**
   * Removes the copies of all other repositories that hold none of those commits and have not been
   * used since {@code since}. A copy that cannot be removed does not stop the removal of others.
   */
  public void keepOnly(Set<RepositoryUrl> used, Set<String> commits, Instant since) {
    Set<Path> kept = used.stream().map(this::place).collect(Collectors.toSet());
    for (Path copy : copies()) {
      try {
        if (!kept.contains(copy)) {
          removeUnless(copy, commits, since);
        }
      } catch (IOException e) {
        LOG.warn("the copy {} of a repository cannot be removed: {}", copy, e.toString());
      }
    }
  }

  private List<Path> copies() {
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(p -> p.toString().endsWith(".git")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException("old copies of repositories cannot be removed", e);
    }
  }

  private void removeUnless(Path copy, Set<String> commits, Instant since) throws IOException {
    Path aside = directory.resolve(Unfinished.name());
    synchronized (lock(copy)) {
      if (!Files.getLastModifiedTime(copy).toInstant().isBefore(since) || holds(copy, commits)) {
        return;
      }
      LOG.info("removing the copy {} of a repository: no source and no run needs it", copy);
      // moved first, so that no reader finds half of it
      Files.move(copy, aside, StandardCopyOption.ATOMIC_MOVE);
    }
    Unfinished.remove(aside);
  }

  private boolean holds(Path copy, Set<String> commits) {
    try (BoundedRepository repository = BoundedRepository.open(copy, limits)) {
      return repository.getRefDatabase().getRefsByPrefix(OWN_REFS).stream()
          .map(ref -> ref.getName().substring(OWN_REFS.length()))
          .anyMatch(commits::contains);
    } catch (IOException | GitFailure e) {
      LOG.warn("the copy {} of a repository cannot be read: {}", copy, e.getMessage());
      // A damaged copy is kept if it held one of these commits, so that an administrator can repair
      // it.
      return commits.stream().anyMatch(commit -> Files.exists(copy.resolve(OWN_REFS + commit)));
    }
  }

  private static void touch(Path copy) throws IOException {
    Files.setLastModifiedTime(copy, FileTime.from(Instant.now()));
  }

  static String hash(String text) {
    return Sha256.hex(text).substring(0, 32);
  }

  /** Removes locks and packs of a dead process, which would block this one. */
  private void removeLeftovers() {
    try {
      Files.createDirectories(directory);
      try (Stream<Path> all = Files.list(directory)) {
        all.filter(Unfinished::isAbandoned).toList().forEach(Unfinished::remove);
      }
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
