package dev.slipway.engine.execute;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether this replica can claim runs, judged by the results and the age of the dispatcher's last
 * claims. It measures with the machine's timer, so that it also notices a dispatcher that waits for
 * the database clock or for a statement that never returns.
 */
public final class ClaimHealth {
  private static final int LONGEST_REASON = 300;

  private final Duration patience;
  private final LongSupplier nanoTime;
  private final CountDownLatch firstTurn = new CountDownLatch(1);
  private volatile Turns turns;

  /** The answer of one moment. */
  public sealed interface Verdict {
    /** The last turn of the dispatcher could claim, and was not long ago. */
    record Works() implements Verdict {}

    /** No turn could claim for that long. */
    record Fails(String reason, Duration lasting) implements Verdict {}
  }

  /** When the last turn was, and since when and why turns fail, if they do. */
  private record Turns(long last, long failingSince, Optional<String> reason) {}

  /** With how long a turn may take, waiting for the next one included. */
  public ClaimHealth(Duration patience, LongSupplier nanoTime) {
    this.patience = patience;
    this.nanoTime = nanoTime;
    long now = nanoTime.getAsLong();
    this.turns = new Turns(now, now, Optional.of("no claim has succeeded yet"));
  }

  /** The dispatcher asked the database for all that it may claim and got an answer. */
  void succeeded() {
    long now = nanoTime.getAsLong();
    turns = new Turns(now, now, Optional.empty());
    firstTurn.countDown();
  }

  /** The dispatcher had no room for more runs and asked for none. */
  void full() {
    turns = new Turns(nanoTime.getAsLong(), turns.failingSince(), turns.reason());
  }

  void failed(Throwable why) {
    Turns before = turns;
    long now = nanoTime.getAsLong();
    long since = before.reason().isPresent() ? before.failingSince() : before.last();
    turns = new Turns(now, since, Optional.of(text(why)));
    firstTurn.countDown();
  }

  public Verdict verdict() {
    Turns seen = turns;
    long now = nanoTime.getAsLong();
    Duration quiet = Duration.ofNanos(now - seen.last());
    Duration failing = Duration.ofNanos(now - seen.failingSince());
    if (quiet.compareTo(patience) > 0) {
      return new Verdict.Fails(
          "the dispatcher has not finished a look for runs for " + quiet.toSeconds() + " s",
          failing);
    }
    return seen.reason().isPresent()
        ? new Verdict.Fails("runs cannot be claimed: " + seen.reason().get(), failing)
        : new Verdict.Works();
  }

  /** Waits for the first turn, well or badly ended, at most that long. */
  public void awaitFirstTurn(Duration atMost) throws InterruptedException {
    firstTurn.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** The first line of the root cause: callers above it add statements and stacks. */
  private static String text(Throwable why) {
    Throwable root = why;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String message = root.getMessage() == null ? root.toString() : root.getMessage();
    String line = message.lines().findFirst().orElse(message);
    return line.length() <= LONGEST_REASON ? line : line.substring(0, LONGEST_REASON) + "...";
  }
}
