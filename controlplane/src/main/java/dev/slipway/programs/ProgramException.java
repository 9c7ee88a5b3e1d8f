package dev.slipway.programs;

/** A program cannot be had or run; the message says what to do about it. */
public final class ProgramException extends RuntimeException {
  public ProgramException(String message) {
    super(message);
  }

  public ProgramException(String message, Throwable cause) {
    super(message, cause);
  }
}
