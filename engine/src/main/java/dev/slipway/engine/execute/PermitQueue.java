package dev.slipway.engine.execute;

import dev.slipway.engine.threads.Threads;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The steps of one run that wait for a permit to execute. Each waits on a virtual thread of its
 * own, so the worker stays free. A step that leaves the queue gives back a permit that it already
 * got.
 */
final class PermitQueue {
  private final Map<String, Thread> waiting = new HashMap<>();
  private final Map<String, Permits.Permit> granted = new HashMap<>();
  private final Threads threads;
  private final BiConsumer<String, Permits.Permit> post;
  private boolean left;

  /** Permits that were waited for are posted to the worker. */
  PermitQueue(Threads threads, BiConsumer<String, Permits.Permit> post) {
    this.threads = threads;
    this.post = post;
  }

  boolean isEmpty() {
    return waiting.isEmpty();
  }

  boolean contains(String step) {
    return waiting.containsKey(step);
  }

  /** A permit for the step at once; otherwise the step is in the queue now. */
  Optional<Permits.Permit> take(String step, Permits.Permit wanted) {
    Permits.Permit got = granted.remove(step);
    if (got != null) {
      return Optional.of(got);
    }
    if (wanted.tryTake()) {
      return Optional.of(wanted);
    }
    waiting.put(step, threads.start("permit " + step, () -> await(step, wanted)));
    return Optional.empty();
  }

  private void await(String step, Permits.Permit permit) {
    try {
      permit.take();
    } catch (InterruptedException e) {
      return;
    }
    if (!posted(step, permit)) {
      permit.giveBack();
    }
  }

  /** False when the worker has ended and no longer reads its mailbox. */
  private synchronized boolean posted(String step, Permits.Permit permit) {
    if (left) {
      return false;
    }
    post.accept(step, permit);
    return true;
  }

  /** The worker has read the message about the permit. */
  void arrived(String step, Permits.Permit permit) {
    if (waiting.remove(step) == null) {
      permit.giveBack();
    } else {
      granted.put(step, permit);
    }
  }

  /** The step will not run. */
  void forget(String step) {
    Thread thread = waiting.remove(step);
    if (thread != null) {
      thread.interrupt();
    }
    Permits.Permit unused = granted.remove(step);
    if (unused != null) {
      unused.giveBack();
    }
  }

  /**
   * The worker no longer reads its mailbox: interrupts the waiting threads, returns the permits.
   */
  synchronized void leave() {
    left = true;
    waiting.values().forEach(Thread::interrupt);
    granted.values().forEach(Permits.Permit::giveBack);
  }
}
