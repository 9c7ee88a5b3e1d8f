package dev.slipway.git;

import dev.slipway.git.GitFailure.Kind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jgit.errors.NoRemoteRepositoryException;
import org.eclipse.jgit.errors.NotSupportedException;
import org.eclipse.jgit.errors.TransportException;
import org.eclipse.jgit.lib.EmptyProgressMonitor;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ProgressMonitor;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.transport.FetchConnection;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.SshTransport;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.TransportHttp;
import org.eclipse.jgit.transport.http.HttpConnectionFactory;
import org.eclipse.jgit.transport.http.JDKHttpConnectionFactory;
import org.jspecify.annotations.Nullable;

/** A remote repository with its credentials and limits. Every failure is a {@link GitFailure}. */
public record Remote(
    RepositoryUrl url, GitCredentials credentials, GitLimits limits, CheckedAddresses addresses) {
  /** A repository whose host is looked up for each connection. */
  public Remote(RepositoryUrl url, GitCredentials credentials, GitLimits limits) {
    this(url, credentials, limits, CheckedAddresses.NONE);
  }

  /** An operation on a transport. */
  public interface Work<T> {
    /** Runs it; the monitor cancels it at the time limit. */
    T with(Transport transport, ProgressMonitor monitor) throws Exception;
  }

  /** Reads its branches and tags. */
  public RemoteRefs refs() {
    return over(
        null,
        (transport, monitor) -> {
          try (FetchConnection connection = transport.openFetch()) {
            return RemoteRefs.of(url, connection.getRefs());
          }
        });
  }

  /**
   * Fetches one commit without its history. A commit that exists locally needs no connection.
   *
   * @throws GitFailure of kind NO_COMMIT when the remote does not have it any more
   */
  public void fetch(BoundedRepository into, String commit) {
    ObjectId id = ObjectId.fromString(commit);
    if (complete(into, id)) {
      return;
    }
    if (!handsOut(commit)) {
      fetchAll(into);
    } else {
      try {
        fetchOne(into, commit);
      } catch (GitFailure e) {
        if (e.kind() != Kind.NO_COMMIT) {
          throw e;
        }
        // the server serves tips only: the commit is fetched with all branches if it is on one
        fetchAll(into);
      }
    }
    if (!complete(into, id)) {
      throw noCommit(commit);
    }
  }

  private void fetchOne(BoundedRepository into, String commit) {
    over(
        into,
        (transport, monitor) -> {
          transport.setDepth(1);
          return transport.fetch(monitor, List.of(new RefSpec(commit)));
        });
  }

  /**
   * Servers reject requests for commits that they do not serve; for a local repository only tips
   * are requested.
   */
  private boolean handsOut(String commit) {
    if (!url.isFile()) {
      return true;
    }
    RemoteRefs refs = refs();
    return refs.branches().containsValue(commit) || refs.tags().containsValue(commit);
  }

  /** Fetches all branches and tags with their history. */
  public void fetchAll(BoundedRepository into) {
    over(
        into,
        (transport, monitor) ->
            transport.fetch(
                monitor,
                List.of(
                    new RefSpec("+refs/heads/*:refs/remotes/origin/*"),
                    new RefSpec("+refs/tags/*:refs/tags/*"))));
  }

  /**
   * Runs an operation on a transport that is limited, isolated and closed afterwards.
   *
   * @param local the repository to fetch into or push from; null to list refs only
   */
  public <T> T over(@Nullable Repository local, Work<T> work) {
    Instant until = Instant.now().plus(limits.total());
    ProgressMonitor monitor =
        new EmptyProgressMonitor() {
          @Override
          public boolean isCancelled() {
            return Thread.currentThread().isInterrupted() || Instant.now().isAfter(until);
          }
        };
    FutureTask<T> task =
        new FutureTask<>(
            () -> {
              try (Transport transport = open(local)) {
                return work.with(transport, monitor);
              }
            });
    // an interrupt closes the sockets that a virtual thread waits for, but not those of a platform
    // thread
    Thread thread = Thread.ofVirtual().name("git " + url).start(task);
    try {
      return task.get(limits.total().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      task.cancel(true);
      throw TransportFailures.tooSlow(this, e);
    } catch (InterruptedException e) {
      task.cancel(true);
      Thread.currentThread().interrupt();
      throw new GitFailure(Kind.INTERRUPTED, "work with " + url + " was stopped", "Try again.", e);
    } catch (ExecutionException e) {
      throw TransportFailures.failure(this, Objects.requireNonNullElse(e.getCause(), e));
    } finally {
      if (!task.state().equals(java.util.concurrent.Future.State.SUCCESS)) {
        thread.interrupt();
      }
    }
  }

  private Transport open(@Nullable Repository local)
      throws NotSupportedException, TransportException {
    Isolation.ensure();
    Transport transport =
        local == null ? Transport.open(url.uri()) : Transport.open(local, url.uri());
    transport.setTimeout((int) Math.max(1, limits.silence().toSeconds()));
    transport.setTagOpt(TagOpt.NO_TAGS);
    transport.setCredentialsProvider(new Keyring(credentials));
    switch (transport) {
      case TransportHttp http -> {
        http.setHttpConnectionFactory(new OneHost(url.uri(), connections()));
        if (credentials instanceof GitCredentials.Password known) {
          http.setPreemptiveBasicAuthentication(known.user(), known.password());
        }
      }
      case SshTransport ssh ->
          ssh.setSshSessionFactory(SshAccess.sessions(url, credentials, addresses));
      default -> {
        if (!url.isFile() || !Files.isDirectory(Path.of(url.uri().getPath()))) {
          transport.close();
          throw new NoRemoteRepositoryException(url.uri(), "no directory");
        }
      }
    }
    return transport;
  }

  private HttpConnectionFactory connections() {
    return addresses.isEmpty() ? new JDKHttpConnectionFactory() : new CheckedConnections(addresses);
  }

  private static boolean complete(BoundedRepository repository, ObjectId id) {
    try (RevWalk walk = new RevWalk(repository)) {
      RevCommit commit = walk.parseCommit(id);
      return repository.getObjectDatabase().has(commit.getTree());
    } catch (java.io.IOException e) {
      return false;
    }
  }

  GitFailure noCommit(String commit) {
    return new GitFailure(
        Kind.NO_COMMIT,
        "the repository " + url + " has no commit " + commit + " on any branch or tag",
        "Push it again, or name a commit that is there.");
  }

  @Override
  public String toString() {
    return url.text();
  }
}
