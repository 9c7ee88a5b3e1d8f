package dev.slipway.web;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits concurrent streams of one kind, in total and per caller. A slot belongs to the call and is
 * released when the exchange has ended, also when the client resets its connection before the first
 * byte.
 */
public final class StreamSlots {
  private static final int TRY_AGAIN_SECONDS = 30;

  private final String what;
  private final int ofAll;
  private final int ofCaller;
  private final Map<String, Integer> taken = new HashMap<>();
  private int open;

  public StreamSlots(String what, int ofAll, int ofCaller) {
    this.what = what;
    this.ofAll = ofAll;
    this.ofCaller = ofCaller;
  }

  /** Takes a slot for the call, or refuses the call. */
  public void take(Call call) {
    String caller = call.caller().name();
    synchronized (this) {
      if (taken.getOrDefault(caller, 0) >= ofCaller) {
        throw Problem.slowDown(
                "You have " + ofCaller + " " + what + " open. End one, or try again in a while.",
                TRY_AGAIN_SECONDS)
            .exception();
      }
      if (open >= ofAll) {
        throw Problem.slowDown(
                "This server has " + ofAll + " " + what + " open. Try again in a while.",
                TRY_AGAIN_SECONDS)
            .exception();
      }
      open++;
      taken.merge(caller, 1, Integer::sum);
    }
    call.atEnd(() -> release(caller));
  }

  private synchronized void release(String caller) {
    open--;
    taken.computeIfPresent(caller, (name, n) -> n == 1 ? null : n - 1);
  }

  /** The number of open streams. */
  public synchronized int open() {
    return open;
  }
}
