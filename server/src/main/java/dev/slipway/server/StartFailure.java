package dev.slipway.server;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Why the server cannot start, and what to do about it. */
public final class StartFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Kind kind;

  /** The cause, which determines the exit code. */
  public enum Kind {
    USAGE,
    SURROUNDINGS
  }

  StartFailure(Kind kind, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  static StartFailure usage(String message) {
    return new StartFailure(Kind.USAGE, message, null);
  }

  static StartFailure surroundings(String message, @Nullable Throwable cause) {
    return new StartFailure(Kind.SURROUNDINGS, message, cause);
  }

  /** A file or directory cannot be used. */
  static StartFailure file(Object path, IOException cause) {
    String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    if (why.contains("No space left")) {
      return surroundings(
          "the disk is full: cannot write " + path + ". Free some space and start again.", cause);
    }
    return surroundings(
        "cannot use "
            + path
            + ": "
            + why
            + ". Check that it exists and belongs to you, or choose"
            + " another data directory with --data.",
        cause);
  }

  /** The exit code of the process. */
  public int exitCode() {
    return switch (kind) {
      case USAGE -> 64;
      case SURROUNDINGS -> 1;
    };
  }
}
