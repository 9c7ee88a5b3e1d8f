package dev.slipway.web;

import dev.slipway.engine.threads.Threads;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Disconnects clients that do not read what was written. A client that reads a byte now and then
 * keeps its connection from being idle, and would hold a thread and the buffered bytes for ever.
 */
final class WriteDeadline implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WriteDeadline.class);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

  private final Duration longest;
  private final Set<Watched> writing = ConcurrentHashMap.newKeySet();
  private final Thread thread;

  WriteDeadline(Duration longest, Threads threads) {
    this.longest = longest;
    this.thread = threads.attend("write-deadline", this::work);
  }

  /** Wraps an output; {@code cut} closes its connection, so that a write in progress fails. */
  OutputStream over(OutputStream out, Runnable cut) {
    return new Watched(out, cut);
  }

  private void work() {
    try {
      while (true) {
        Thread.sleep(BETWEEN_LOOKS);
        long now = System.nanoTime();
        for (Watched each : writing) {
          if (now - each.since > longest.toNanos()) {
            cut(each);
          }
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("write deadlines are no longer enforced");
    }
  }

  private void cut(Watched slow) {
    LOG.info("a client took longer than {} s to read a write: disconnected", longest.toSeconds());
    try {
      slow.cut.run();
    } catch (RuntimeException e) {
      LOG.warn("a slow client cannot be disconnected: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  private final class Watched extends OutputStream {
    private final OutputStream out;
    private final Runnable cut;
    private volatile long since;

    Watched(OutputStream out, Runnable cut) {
      this.out = out;
      this.cut = cut;
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      begin();
      try {
        out.write(bytes, offset, length);
      } finally {
        writing.remove(this);
      }
    }

    @Override
    public void flush() throws IOException {
      begin();
      try {
        out.flush();
      } finally {
        writing.remove(this);
      }
    }

    private void begin() {
      since = System.nanoTime();
      writing.add(this);
    }
  }
}
