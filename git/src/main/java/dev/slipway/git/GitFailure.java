package dev.slipway.git;

import org.jspecify.annotations.Nullable;

/**
 * A failed operation on a remote repository. The message is a sentence for users without secrets;
 * the hint says what to do next.
 */
public final class GitFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Kind kind;
  private final String hint;

  /** The cause of the failure. */
  public enum Kind {
    /** The URL is invalid or not allowed. */
    URL_REFUSED,
    /** The host does not answer. */
    UNREACHABLE,
    /** The operation reached its time limit. */
    TOO_SLOW,
    /** The credentials are missing or wrong. */
    AUTHENTICATION,
    /** The server's key or certificate is not trusted. */
    UNTRUSTED_SERVER,
    NO_REPOSITORY,
    NO_REF,
    NO_COMMIT,
    /** More than the limits allow. */
    TOO_LARGE,
    /** The tree has entries that must not be written to a disk. */
    UNSAFE_CONTENT,
    /** The remote rejected the push. */
    REJECTED,
    /** Other writers pushed first at each attempt. */
    OVERTAKEN,
    /** Other writers changed the same lines. */
    CONFLICT,
    /** The thread was interrupted. */
    INTERRUPTED,
    /** Any other cause: a damaged repository, or a failure of the local disk. */
    BROKEN
  }

  /** {@code cause} has details for developers. */
  public GitFailure(Kind kind, String message, String hint, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.hint = hint;
  }

  /** A failure without a cause. */
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

  /** Whether a retry may succeed without any change by people. */
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
