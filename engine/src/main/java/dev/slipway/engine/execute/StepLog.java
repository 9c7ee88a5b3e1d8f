package dev.slipway.engine.execute;

/** Where a step's output goes: masked, bounded, kept. Never blocks the step for long. */
public interface StepLog {
  /** One line of the stream. */
  void line(Stream stream, String text);

  /** Where a line came from. */
  enum Stream {
    STDOUT,
    STDERR,
    /** Said by Slipway itself. */
    NOTE
  }
}
