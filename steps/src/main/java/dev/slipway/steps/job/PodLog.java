package dev.slipway.steps.job;

import dev.slipway.kubernetes.cluster.TextStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The log of a pod as it arrives; read by a thread of its own, so that who waits can be stopped.
 */
final class PodLog implements AutoCloseable {
  private static final int LONGEST = 4 * 1024 * 1024;

  /** What of the log there was when it was opened. */
  enum Extent {
    /** The container was running. */
    GROWING,
    /** The container had ended. */
    WHOLE
  }

  private final TextStream stream;
  private final Extent extent;
  private final BlockingQueue<Optional<String>> lines = new ArrayBlockingQueue<>(1_000);
  private final Thread reader;
  private volatile boolean torn;
  private boolean ended;

  PodLog(TextStream stream, Extent extent) {
    this.stream = stream;
    this.extent = extent;
    this.reader = Thread.startVirtualThread(this::read);
  }

  private void read() {
    try {
      copy(stream.body());
    } catch (IOException | UncheckedIOException e) {
      torn = true; // the connection is gone: the log is opened again
    } catch (InterruptedException e) {
      return;
    }
    try {
      lines.put(Optional.empty());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void copy(InputStream in) throws IOException, InterruptedException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    byte[] chunk = new byte[16 * 1024];
    for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
      for (int i = 0; i < read; i++) {
        if (chunk[i] == '\n') {
          lines.put(Optional.of(line.toString(StandardCharsets.UTF_8)));
          line.reset();
        } else if (line.size() < LONGEST) {
          line.write(chunk[i]);
        }
      }
    }
  }

  /** Gives all lines that have arrived; waits for the first one. */
  void drainTo(JobOutput output, Duration wait) throws InterruptedException {
    Optional<String> line = lines.poll(wait.toMillis(), TimeUnit.MILLISECONDS);
    while (line != null) {
      ended |= line.isEmpty();
      line.ifPresent(output::take);
      line = lines.poll();
    }
  }

  /** Whether nothing more comes. */
  boolean ended() {
    return ended;
  }

  /** Whether all is read that will ever be in it. */
  boolean complete() {
    return ended && !torn && extent == Extent.WHOLE;
  }

  @Override
  public void close() {
    reader.interrupt();
    try {
      stream.close();
    } catch (UncheckedIOException e) {
      // It was broken already.
    }
  }
}
