package dev.slipway.steps.process;

import dev.slipway.engine.execute.StepLog;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Drains one stream of a program: each line goes to the log, the tail is kept. A line that does not
 * end is cut, so that memory stays bounded.
 */
final class OutputReader implements Runnable {
  private static final int LONGEST_LINE = 64 * 1024;
  private static final int TAIL = 1024 * 1024;

  private final InputStream in;
  private final StepLog.Stream stream;
  private final StepLog log;
  private final OutputCount total;
  private final StringBuilder tail = new StringBuilder();
  private volatile String lastLine = "";
  private volatile @Nullable Throwable broken;

  OutputReader(InputStream in, StepLog.Stream stream, StepLog log, OutputCount total) {
    this.in = in;
    this.stream = stream;
    this.log = log;
    this.total = total;
  }

  /** Closes the pipe if reading fails for any reason, so that the program does not block on it. */
  @Override
  public void run() {
    try {
      drain();
    } catch (RuntimeException | Error e) {
      broken = e;
    }
  }

  /** Fails when a part of the output was not read: its outputs would be incomplete. */
  void check() {
    Throwable why = broken;
    if (why != null) {
      throw new IllegalStateException("the output of the program could not be read", why);
    }
  }

  private void drain() {
    byte[] line = new byte[LONGEST_LINE];
    byte[] chunk = new byte[16 * 1024];
    int filled = 0;
    try (in) {
      // Stops reading at the limit: the program then blocks on the full pipe until it is killed.
      for (int read = in.read(chunk); read >= 0 && total.add(read); read = in.read(chunk)) {
        for (int i = 0; i < read; i++) {
          if (chunk[i] == '\n' || filled == LONGEST_LINE) {
            emit(line, filled);
            filled = 0;
          }
          if (chunk[i] != '\n') {
            line[filled++] = chunk[i];
          }
        }
      }
    } catch (IOException e) {
      // The pipe ends like this when the program is killed.
    }
    if (filled > 0) {
      emit(line, filled);
    }
  }

  private void emit(byte[] bytes, int length) {
    int end = length > 0 && bytes[length - 1] == '\r' ? length - 1 : length;
    String text = new String(bytes, 0, end, StandardCharsets.UTF_8);
    if (!text.isBlank()) {
      lastLine = text;
    }
    log.line(stream, text);
    synchronized (tail) {
      tail.append(text).append('\n');
      if (tail.length() > 2 * TAIL) {
        tail.delete(0, tail.length() - TAIL);
      }
    }
  }

  String tail() {
    synchronized (tail) {
      return tail.length() > TAIL ? tail.substring(tail.length() - TAIL) : tail.toString();
    }
  }

  String lastLine() {
    return lastLine;
  }
}
