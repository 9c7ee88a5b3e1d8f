package dev.slipway.engine.execute;

/** What a store will never take, because of what is in it. */
public final class RefusedWriteException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** For that reason. */
  public RefusedWriteException(String reason, Throwable cause) {
    super(reason, cause);
  }
}
