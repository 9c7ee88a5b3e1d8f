package dev.slipway.git;

import org.jspecify.annotations.Nullable;

/**
 * Something about a repository elsewhere did not work. The message is a sentence for people; it
 * never holds a secret, and the hint says what to do next.
 */
public final class GitFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;
  private final String hint;

  /** What went wrong. */
  public enum Kind {
    /** The URL is none that may be used. */
    URL_REFUSED,
    /** Nobody answers there. */
    UNREACHABLE,
    /** It took too long. */
    TOO_SLOW,
    /** The credentials are missing or wrong. */
    AUTHENTICATION,
    /** The server cannot prove who it is. */
    UNTRUSTED_SERVER,
    NO_REPOSITORY,
    NO_REF,
    NO_COMMIT,
    /** More than the limits allow. */
    TOO_LARGE,
    /** The tree holds what must not be written to a disk. */
    UNSAFE_CONTENT,
    /** The other side did not take what was pushed. */
    REJECTED,
    /** Others were faster each time. */
    OVERTAKEN,
    /** Others changed the same lines. */
    CONFLICT,
    /** Somebody wants it to stop. */
    INTERRUPTED,
    /** Neither of these: the repository is damaged, or it is our own disk. */
    BROKEN
  }

  /** With the exception that says more to developers. */
  public GitFailure(Kind kind, String message, String hint, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.hint = hint;
  }

  /** That nothing else caused. */
  public GitFailure(Kind kind, String message, String hint) {
    this(kind, message, hint, null);
  }

  public Kind kind() {
    return kind;
  }

  /** What to do next. */
  public String hint() {
    return hint;
  }

  /** Whether trying again later may help although nobody changes anything. */
  public boolean mayPass() {
    return switch (kind) {
      case UNREACHABLE, TOO_SLOW, INTERRUPTED, BROKEN, OVERTAKEN -> true;
      case URL_REFUSED,
          AUTHENTICATION,
          UNTRUSTED_SERVER,
          NO_REPOSITORY,
          NO_REF,
          NO_COMMIT,
          TOO_LARGE,
          UNSAFE_CONTENT,
          REJECTED,
          CONFLICT ->
          false;
    };
  }
}
