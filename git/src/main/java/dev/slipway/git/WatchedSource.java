package dev.slipway.git;

import dev.slipway.engine.resolve.GitAccess;
import dev.slipway.engine.resolve.ProviderSource;
import dev.slipway.engine.resolve.ProviderSource.Location;
import dev.slipway.engine.resolve.RemoteSources.Copy;
import dev.slipway.engine.resolve.RemoteSources.Failure;
import dev.slipway.engine.resolve.RemoteSources.Report;
import dev.slipway.engine.threads.Threads;
import dev.slipway.git.GitFailure.Kind;
import dev.slipway.git.RemoteRefs.Among;
import dev.slipway.git.RemoteRefs.Found;
import dev.slipway.git.RemoteRefs.Target;
import dev.slipway.git.SourceMemory.Known;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One source and the thread that watches it: branches and tags are polled, a commit is fetched
 * once. The result is an immutable report that is replaced as a whole.
 */
final class WatchedSource implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WatchedSource.class);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(2);

  private final RepositoryCopies copies;
  private final SourceMemory memory;
  private final GitLimits limits;
  private final InstantSource clock;
  private final Runnable changed;
  private final ReentrantLock fetching = new ReentrantLock();
  private final ReentrantLock waiting = new ReentrantLock();
  private final Condition wake = waiting.newCondition();
  private volatile @Nullable Thread thread;
  private boolean woken;
  private int failures;
  private volatile ProviderSource source;
  private volatile Known known;
  private volatile Report report;
  private volatile boolean closed;

  WatchedSource(
      ProviderSource source,
      RepositoryCopies copies,
      SourceMemory memory,
      GitLimits limits,
      InstantSource clock,
      Runnable changed) {
    this.source = source;
    this.copies = copies;
    this.memory = memory;
    this.limits = limits;
    this.clock = clock;
    this.changed = changed;
    this.known = memory.recall(git());
    this.report = remembered();
  }

  WatchedSource start(Threads threads) {
    thread = threads.start("provider " + source.label(), this::watch);
    return this;
  }

  private Location.Git git() {
    return (Location.Git) source.location();
  }

  Report report() {
    return report;
  }

  Known known() {
    return known;
  }

  /** The repository of the source, if its URL is valid. */
  Optional<RepositoryUrl> repository() {
    try {
      return Optional.of(url());
    } catch (GitFailure e) {
      return Optional.empty();
    }
  }

  boolean uses(RepositoryUrl other) {
    return repository().filter(other::equals).isPresent();
  }

  private RepositoryUrl url() {
    return RepositoryUrl.parse(git().url(), RepositoryUrl.Allow.REMOTE_AND_FILES);
  }

  /** Updates the source's credentials or interval. */
  void now(ProviderSource configured) {
    if (!configured.equals(source)) {
      source = configured;
      wake();
    }
  }

  void inService(String commit) {
    if (!commit.equals(known.lastGood())) {
      known = new Known(known.newest(), known.tag(), commit, known.fetched());
      memory.keep(git(), known);
    }
  }

  /**
   * After a restart the commit in service is available at once, also when the remote is
   * unreachable.
   */
  private Report remembered() {
    try {
      return new Report(
          copyOnDisk(known.newest()),
          copyOnDisk(known.lastGood()),
          Optional.empty(),
          List.of(),
          Optional.ofNullable(known.fetched()),
          Optional.of(clock.instant()));
    } catch (GitFailure e) {
      return failed(e);
    }
  }

  private Optional<Copy> copyOnDisk(@Nullable String commit) {
    return commit == null
        ? Optional.empty()
        : copies.files(url(), commit).map(c -> new Copy(directory(c), commit));
  }

  private void watch() {
    while (!closed) {
      try {
        fetch();
      } catch (RuntimeException e) {
        LOG.error("the report of source {} could not be used, trying again", source.label(), e);
      }
      pause();
    }
  }

  /** Polls once; concurrent calls are serialized. */
  void fetch() {
    fetching.lock();
    try {
      Report before = report;
      Report now;
      try {
        now = look();
        failures = 0;
      } catch (GitFailure e) {
        failures++;
        now = failed(e);
      } catch (RuntimeException e) {
        failures++;
        LOG.warn("source {} cannot be looked at", source.label(), e);
        now = failed(new GitFailure(Kind.BROKEN, "fetching failed: " + e, "See the log.", e));
      }
      report = now;
      tell(before, now);
    } finally {
      fetching.unlock();
    }
  }

  private void tell(Report before, Report now) {
    now.warnings().stream()
        .filter(w -> !before.warnings().contains(w))
        .forEach(w -> LOG.warn("provider source {}: {}", source.label(), w));
    boolean differs =
        !before.newest().equals(now.newest())
            || !before.failure().equals(now.failure())
            || !before.warnings().equals(now.warnings());
    if (differs && !closed) {
      changed.run();
    }
  }

  private Report look() {
    List<String> warnings = new ArrayList<>();
    Remote remote = new Remote(url(), credentials(git().access()), limits);
    Target target = target(remote, warnings);
    String commit = target.commit();
    boolean tag = target.found() == Found.TAG;
    if (tag && known.tag() && known.newest() != null && !known.newest().equals(commit)) {
      warnings.add(moved(target, known.newest()));
      commit = known.newest();
    }
    Path directory = directory(copies.files(remote, commit));
    Instant at = clock.instant();
    if (!commit.equals(known.newest()) || tag != known.tag()) {
      LOG.info("provider source {} is at commit {}", source.label(), commit);
    }
    known = new Known(commit, tag, known.lastGood(), at);
    memory.keep(git(), known);
    boolean fixed = target.found() == Found.COMMIT;
    return new Report(
        Optional.of(new Copy(directory, commit)),
        lastGood(),
        Optional.empty(),
        List.copyOf(warnings),
        Optional.of(at),
        fixed ? Optional.empty() : Optional.of(at.plus(source.pollInterval())));
  }

  private Target target(Remote remote, List<String> warnings) {
    Location.Git git = git();
    boolean isCommit =
        RemoteRefs.isCommit(git.ref())
            && (git.kind() == ProviderSource.RefKind.ANY
                || git.kind() == ProviderSource.RefKind.COMMIT);
    if (isCommit) {
      String commit = git.ref().toLowerCase(java.util.Locale.ROOT);
      return new Target(git.ref(), Found.COMMIT, commit, false);
    }
    Target target = remote.refs().resolve(git.ref(), among(git.kind()));
    if (target.ambiguous()) {
      warnings.add(
          "there is a tag and a branch '"
              + target.name()
              + "'; the tag is used. Write tag or branch instead of ref.");
    }
    return target;
  }

  private static String moved(Target target, String stays) {
    return "tag '"
        + target.name()
        + "' was moved to "
        + target.commit()
        + "; "
        + stays
        + " stays in service, because a tag is taken as fixed. Name a new tag, or the commit.";
  }

  private Optional<Copy> lastGood() {
    try {
      return copyOnDisk(known.lastGood());
    } catch (GitFailure e) {
      return Optional.empty();
    }
  }

  /** A failed poll keeps what was fetched before. */
  private Report failed(GitFailure failure) {
    Report before = report;
    Duration pause = source.pollInterval();
    Duration soon = FIRST_PAUSE.multipliedBy(1L << Math.min(10, Math.max(0, failures - 1)));
    boolean first = before == null || before.newest().isEmpty();
    Duration next = first && soon.compareTo(pause) < 0 ? soon : pause;
    return new Report(
        before == null ? Optional.empty() : before.newest(),
        before == null ? Optional.empty() : before.lastGood(),
        Optional.of(new Failure(Objects.toString(failure.getMessage()), failure.hint())),
        before == null ? List.of() : before.warnings(),
        before == null ? Optional.ofNullable(known.fetched()) : before.fetchedAt(),
        Optional.of(clock.instant().plus(next)));
  }

  /** The provider's directory in the files of a commit, never outside of them. */
  private Path directory(Checkouts.Checkout checkout) {
    return below(checkout, git().path());
  }

  static Path below(Checkouts.Checkout checkout, String path) {
    Path directory = checkout.files().resolve(path).normalize();
    try {
      if (directory.startsWith(checkout.files())
          && Files.isDirectory(directory)
          && directory.toRealPath().startsWith(checkout.files().toRealPath())) {
        return directory;
      }
    } catch (java.io.IOException e) {
      LOG.debug("{} cannot be looked at", directory, e);
    }
    throw new GitFailure(
        Kind.NO_REF,
        "commit " + checkout.commit() + " has no directory '" + path + "'",
        "Correct path, or add the directory to the repository.");
  }

  private static Among among(ProviderSource.RefKind kind) {
    return switch (kind) {
      case ANY -> Among.ALL;
      case TAG -> Among.TAGS;
      case BRANCH -> Among.BRANCHES;
      case COMMIT -> Among.COMMITS;
    };
  }

  static GitCredentials credentials(@Nullable GitAccess access) {
    return switch (access) {
      case null -> GitCredentials.NONE;
      case GitAccess.Password p ->
          p.user() == null
              ? GitCredentials.token(p.password())
              : new GitCredentials.Password(p.user(), p.password());
      case GitAccess.PrivateKey k ->
          new GitCredentials.PrivateKey(k.key(), k.passphrase(), k.knownHosts());
    };
  }

  GitCredentials credentials() {
    return credentials(git().access());
  }

  private void pause() {
    waiting.lock();
    try {
      while (!woken && !closed) {
        Optional<Instant> next = report.nextPoll();
        if (next.isEmpty()) {
          wake.await();
          continue;
        }
        long left = Duration.between(clock.instant(), next.get()).toMillis();
        if (left <= 0 || !wake.await(left, TimeUnit.MILLISECONDS)) {
          break;
        }
      }
      woken = false;
    } catch (InterruptedException e) {
      closed = true;
    } finally {
      waiting.unlock();
    }
  }

  private void wake() {
    waiting.lock();
    try {
      woken = true;
      wake.signalAll();
    } finally {
      waiting.unlock();
    }
  }

  @Override
  public void close() {
    closed = true;
    Thread watching = thread;
    if (watching != null) {
      watching.interrupt();
    }
  }
}
