package dev.slipway.postgres;

import org.jspecify.annotations.Nullable;

/** The database cannot be used; the message says why and what to do. */
public final class DatabaseException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** {@code message} is a sentence for the operator. */
  public DatabaseException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
