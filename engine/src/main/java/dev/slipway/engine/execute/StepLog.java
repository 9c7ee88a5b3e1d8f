package dev.slipway.engine.execute;

/** Where a step's output goes: masked, bounded, kept. Never blocks the step for long. */
public interface StepLog {
  /** One line of the stream. */
  void line(Stream stream, String text);

  /**
   * How many lines of output, without notes, earlier calls of this attempt have stored: a server
   * that follows again what an interrupted one followed logs each line once.
   */
  default long stored() {
    return 0;
  }

  /** Where a line came from. */
  enum Stream {
    STDOUT,
    STDERR,
    /** Said by Slipway itself. */
    NOTE
  }
}
