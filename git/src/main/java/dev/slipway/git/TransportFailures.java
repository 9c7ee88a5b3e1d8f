package dev.slipway.git;

import dev.slipway.git.GitFailure.Kind;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.eclipse.jgit.errors.NoRemoteRepositoryException;
import org.eclipse.jgit.errors.TooLargeObjectInPackException;
import org.jspecify.annotations.Nullable;

/** Translates exceptions of transports into failures with a message and a hint. */
final class TransportFailures {
  private static final String[] NOT_LET_IN = {
    "not authorized",
    "authentication is required",
    "authentication not supported",
    "not permitted",
    "no more authentication methods",
    "cannot log in",
    "auth fail",
    "too many authentication failures",
    "unauthorized"
  };
  private static final String[] WRONG_SERVER_KEY = {"server key did not validate", "host key"};
  private static final String[] NO_SUCH_OBJECT = {
    "not our ref", " not valid", "available for fetch", "unadvertised"
  };

  private TransportFailures() {}

  static GitFailure failure(Remote remote, Throwable failure) {
    if (failure instanceof GitFailure known) {
      return known;
    }
    return byCause(remote, failure)
        .or(() -> byMessage(remote, failure))
        .orElseGet(
            () ->
                new GitFailure(
                    Kind.BROKEN,
                    "the repository " + remote + " cannot be used: " + safe(remote, failure),
                    "Check that it is a Git repository and that git can clone it.",
                    harmless(failure)));
  }

  static GitFailure tooSlow(Remote remote, @Nullable Throwable cause) {
    return new GitFailure(
        Kind.TOO_SLOW,
        "the server of " + remote + " did not answer in time (limit " + seconds(remote) + " s)",
        "Check the server and the network; it is tried again.",
        harmless(cause));
  }

  private static long seconds(Remote remote) {
    return Math.min(
        remote.limits().total().toSeconds(), Math.max(1, remote.limits().silence().toSeconds()));
  }

  private static Optional<GitFailure> byCause(Remote remote, Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      Optional<GitFailure> found =
          switch (t) {
            case BoundedStream.TooMuchException e ->
                Optional.of(tooLarge(remote, remote.limits().packBytes(), "sends more than"));
            case TooLargeObjectInPackException e ->
                Optional.of(
                    tooLarge(remote, remote.limits().objectBytes(), "has a file larger than"));
            case OneHost.ElsewhereException e -> Optional.of(elsewhere(remote, e));
            case UnknownHostException e ->
                Optional.of(unreachable(remote, "its name is not known", e));
            case ConnectException e ->
                Optional.of(unreachable(remote, "the connection is refused", e));
            case NoRouteToHostException e ->
                Optional.of(unreachable(remote, "there is no way to it", e));
            case SocketTimeoutException e -> Optional.of(tooSlow(remote, e));
            case InterruptedIOException e -> Optional.of(tooSlow(remote, e));
            case SSLException e -> Optional.of(untrusted(remote, "its certificate", e));
            case NoRemoteRepositoryException e -> Optional.of(noRepository(remote, e));
            default -> Optional.empty();
          };
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<GitFailure> byMessage(Remote remote, Throwable failure) {
    String said = everything(failure);
    if (contains(said, NOT_LET_IN)) {
      return Optional.of(notLetIn(remote, failure));
    }
    if (contains(said, WRONG_SERVER_KEY)) {
      return Optional.of(untrusted(remote, "its host key", failure));
    }
    if (contains(said, NO_SUCH_OBJECT)) {
      return Optional.of(
          new GitFailure(
              Kind.NO_COMMIT,
              "the repository " + remote + " does not hand out that commit",
              "Name a branch, a tag, or a commit that is on one.",
              harmless(failure)));
    }
    if (said.contains("timeout") || said.contains("timed out") || said.contains("cancelled")) {
      return Optional.of(tooSlow(remote, failure));
    }
    if (said.contains("not found") || said.contains("not appear to be a git repository")) {
      return Optional.of(noRepository(remote, failure));
    }
    return Optional.empty();
  }

  private static GitFailure notLetIn(Remote remote, Throwable cause) {
    boolean none = remote.credentials() instanceof GitCredentials.Anonymous;
    return new GitFailure(
        Kind.AUTHENTICATION,
        none
            ? "the server of " + remote + " asks for credentials, and there are none"
            : "the server of " + remote + " refuses the credentials",
        none
            ? "Give credentials for it."
            : "Check that they are right, not expired, and allowed to use this repository.",
        harmless(cause));
  }

  private static GitFailure untrusted(Remote remote, String what, Throwable cause) {
    return new GitFailure(
        Kind.UNTRUSTED_SERVER,
        "the server of " + remote + " is not trusted: " + what + " is not known",
        what.contains("host")
            ? "Give its line of known_hosts with the credentials (ssh-keyscan prints it; compare"
                + " it)."
            : "Add its authority to the trust store of Java, or correct the certificate.",
        harmless(cause));
  }

  private static GitFailure noRepository(Remote remote, Throwable cause) {
    return new GitFailure(
        Kind.NO_REPOSITORY,
        "there is no repository at " + remote,
        remote.credentials() instanceof GitCredentials.Anonymous && !remote.url().isFile()
            ? "Check the URL; a private repository may need credentials."
            : "Check the URL, and that the credentials may see it.",
        harmless(cause));
  }

  private static GitFailure unreachable(Remote remote, String why, Throwable cause) {
    return new GitFailure(
        Kind.UNREACHABLE,
        "the server of " + remote + " cannot be reached: " + why,
        "Check the URL, the server and the network; it is tried again.",
        harmless(cause));
  }

  private static GitFailure elsewhere(Remote remote, Throwable cause) {
    return new GitFailure(
        Kind.URL_REFUSED,
        "the server of " + remote + " answers: " + cause.getMessage() + ", another host",
        "If that is right, write the new URL.",
        harmless(cause));
  }

  private static GitFailure tooLarge(Remote remote, long bytes, String what) {
    return new GitFailure(
        Kind.TOO_LARGE,
        "the repository " + remote + " " + what + " " + bytes / (1024 * 1024) + " MiB",
        "Keep large files out of it.");
  }

  private static boolean contains(String said, String[] words) {
    for (String word : words) {
      if (said.contains(word)) {
        return true;
      }
    }
    return false;
  }

  private static String everything(Throwable failure) {
    StringBuilder out = new StringBuilder();
    for (Throwable t = failure; t != null; t = t.getCause()) {
      out.append(t.getMessage()).append('\n');
    }
    return out.toString().toLowerCase(Locale.ROOT);
  }

  /** The message without secrets. */
  static String safe(Remote remote, Throwable failure) {
    String text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    for (String secret : remote.credentials().secrets()) {
      if (!secret.isEmpty()) {
        text = text.replace(secret, "***");
      }
    }
    return text.length() > 500 ? text.substring(0, 500) + " ..." : text;
  }

  /** A cause for developers without messages: a server's text may contain secrets. */
  private static @Nullable Throwable harmless(@Nullable Throwable failure) {
    if (failure == null) {
      return null;
    }
    Throwable bare = new Throwable(failure.getClass().getName());
    bare.setStackTrace(failure.getStackTrace());
    return bare;
  }
}
