package dev.slipway.engine.workflow;

/** Results of a step that cannot be read, or that lack what the step promised. */
public final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  OutputException(String message) {
    super(message);
  }
}
