package dev.slipway.bench;

/** The longest time between two calls. */
final class Gaps implements Runnable {
  private long last;
  private long longest;

  @Override
  public synchronized void run() {
    long now = System.nanoTime();
    longest = last == 0 ? 0 : Math.max(longest, now - last);
    last = now;
  }

  synchronized double longestMillis() {
    return longest / 1e6;
  }
}
