package dev.slipway.kubernetes.cluster;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A reply of an API server that goes on, read line by line by one thread. The next part is asked
 * for when the lines of the one before have been read.
 */
public final class ApiStream implements AsyncBody.Consumer<List<ByteBuffer>>, AutoCloseable {
  private static final int LONGEST_LINE = 16 << 20;

  private final BlockingQueue<Arrived> arrived = new LinkedBlockingQueue<>();
  private final ArrayDeque<String> lines = new ArrayDeque<>();
  private final ByteArrayOutputStream partial = new ByteArrayOutputStream();
  private @Nullable AsyncBody body;
  private int status;

  /** What came from the connection. */
  private sealed interface Arrived {
    record Bytes(List<ByteBuffer> buffers) implements Arrived {}

    record End(@Nullable Throwable why) implements Arrived {}
  }

  /** What the next line is, or why there is none. */
  public sealed interface Next {
    /** Without its end. */
    record Line(String text) implements Next {}

    /** The server has ended the reply, or the connection broke for that reason. */
    record Ended(String why) implements Next {}

    /** Nothing came for the time. */
    record Silent() implements Next {}
  }

  ApiStream() {}

  void begin(HttpResponse<AsyncBody> response) {
    status = response.code();
    body = response.body();
    body.done().whenComplete((_, thrown) -> arrived.add(new Arrived.End(thrown)));
    body.consume();
  }

  @Override
  public void consume(List<ByteBuffer> buffers, AsyncBody from) {
    arrived.add(new Arrived.Bytes(buffers));
  }

  /** Of HTTP. */
  public int status() {
    return status;
  }

  /** Whether it is what was asked for; else its lines say why not. */
  public boolean ok() {
    return status / 100 == 2;
  }

  /** The next line; what is left without an end of line at the end counts as one. */
  public Next next(Duration longest) throws InterruptedException {
    while (lines.isEmpty()) {
      switch (arrived.poll(longest.toMillis(), TimeUnit.MILLISECONDS)) {
        case null -> {
          return new Next.Silent();
        }
        case Arrived.Bytes(List<ByteBuffer> buffers) -> {
          buffers.forEach(this::split);
          Objects.requireNonNull(body, "bytes come after the beginning").consume();
        }
        case Arrived.End end -> {
          return ended(end);
        }
      }
    }
    return new Next.Line(lines.remove());
  }

  private Next ended(Arrived.End end) {
    if (partial.size() > 0 && end.why() == null) {
      arrived.add(end);
      return new Next.Line(line());
    }
    return new Next.Ended(end.why() == null ? "" : end.why().toString());
  }

  private void split(ByteBuffer buffer) {
    while (buffer.hasRemaining()) {
      byte next = buffer.get();
      if (next == '\n') {
        lines.add(line());
      } else if (partial.size() < LONGEST_LINE) {
        partial.write(next);
      }
    }
  }

  private String line() {
    String text = partial.toString(StandardCharsets.UTF_8);
    partial.reset();
    return text;
  }

  @Override
  public void close() {
    if (body != null) {
      body.cancel();
    }
  }
}
