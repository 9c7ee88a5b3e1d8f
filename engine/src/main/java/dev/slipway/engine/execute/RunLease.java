package dev.slipway.engine.execute;

/** The right to act for a run; it ends when it is not prolonged in time. */
@FunctionalInterface
public interface RunLease {
  /**
   * Asked right before each effect outside, however short the way there: a server may stand still
   * anywhere, and when it wakes up somebody else may have done this already.
   *
   * @throws InterruptedException when the right has ended
   */
  void check() throws InterruptedException;
}
