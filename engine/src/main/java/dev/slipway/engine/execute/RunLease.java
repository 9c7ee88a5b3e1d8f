package dev.slipway.engine.execute;

/** The right to act for a run; it ends unless it is renewed in time. */
@FunctionalInterface
public interface RunLease {
  /**
   * Called right before each effect outside. A server may freeze at any point, and when it wakes up
   * another replica may have executed the step already.
   *
   * @throws InterruptedException when the lease has ended
   */
  void check() throws InterruptedException;
}
