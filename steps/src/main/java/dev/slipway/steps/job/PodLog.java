package dev.slipway.steps.job;

import dev.slipway.kubernetes.cluster.ApiStream;
import dev.slipway.kubernetes.cluster.ApiStream.Next;
import java.time.Duration;

/** The log of a pod as it arrives, read by the thread of its step. */
final class PodLog implements AutoCloseable {
  /** So many lines are taken before the step looks at its limits again. */
  private static final int MOST_AT_ONCE = 1_000;

  /** What of the log there was when it was opened. */
  enum Extent {
    /** The container was running. */
    GROWING,
    /** The container had ended. */
    WHOLE
  }

  /** How far reading is. */
  private enum Progress {
    GOES_ON,
    ENDED,
    /** The connection broke: the log is opened again. */
    TORN
  }

  private final ApiStream stream;
  private final Extent extent;
  private Progress progress = Progress.GOES_ON;

  PodLog(ApiStream stream, Extent extent) {
    this.stream = stream;
    this.extent = extent;
  }

  /** Gives the lines that have arrived; waits for the first one. */
  void drainTo(JobOutput output, Duration wait) throws InterruptedException {
    Duration longest = wait;
    for (int lines = 0; lines < MOST_AT_ONCE && !ended(); lines++) {
      switch (stream.next(longest)) {
        case Next.Line(String text) -> output.take(text);
        case Next.Ended(String why) -> progress = why.isEmpty() ? Progress.ENDED : Progress.TORN;
        case Next.Silent() -> {
          return;
        }
      }
      longest = Duration.ZERO;
    }
  }

  /** Whether nothing more comes. */
  boolean ended() {
    return progress != Progress.GOES_ON;
  }

  /** Whether all is read that will ever be in it. */
  boolean complete() {
    return progress == Progress.ENDED && extent == Extent.WHOLE;
  }

  @Override
  public void close() {
    stream.close();
  }
}
