package dev.slipway.server.api;

import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.events.StoredEvent;
import dev.slipway.web.StreamRights;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reader of events. Between two looks into the log it holds nothing but its thread (a virtual
 * one) and its connection to the reader, so it can stay for days.
 */
final class EventStream {
  static final Duration HEARTBEAT = Duration.ofSeconds(15);

  /** Until the next look at events whose turn has not come; no notification may follow them. */
  private static final Duration SETTLING = Duration.ofMillis(50);

  private static final int BATCH = 200;
  private static final int LONGEST_WRITE = 64 * 1024;
  private static final Logger LOG = LoggerFactory.getLogger(EventStream.class);

  /** Where events are, and how readers get them. */
  record Source(EventLog log, EventView view) {}

  /** What the reader asked for. */
  record Question(
      @Nullable String application,
      @Nullable String environment,
      @Nullable Set<String> types,
      Optional<Long> after) {}

  /** Whose events the reader may see; null: those of all teams. */
  record Visible(@Nullable Set<String> teams) {}

  /** All streams of this server, to be woken when it stops. */
  static final class Streams implements AutoCloseable {
    private final Set<Semaphore> waiting = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** There are new events. */
    void wake() {
      waiting.forEach(Semaphore::release);
    }

    @Override
    public void close() {
      closed = true;
      wake();
    }
  }

  private final EventLog log;
  private final EventView view;
  private final Streams streams;
  private final Question question;
  private final Supplier<Optional<Visible>> visible;
  private final Semaphore signal = new Semaphore(0);
  private final Beginning beginning;
  private Optional<Visible> may;
  private long sent = System.nanoTime();

  /** Where the reader begins; {@code oldest} is set when what it asked for is no longer kept. */
  private record Beginning(long seen, @Nullable Long oldest) {}

  /** Reads the log once, so that a refusal is answered before the stream begins. */
  EventStream(
      Source source, Streams streams, Question question, Supplier<Optional<Visible>> visible) {
    this.log = source.log();
    this.view = source.view();
    this.streams = streams;
    this.question = question;
    this.visible = visible;
    this.may = visible.get();
    this.beginning = begin();
  }

  /** Writes until the reader goes, may no longer read, or the server stops. */
  void write(OutputStream out) throws IOException, InterruptedException {
    streams.waiting.add(signal);
    try {
      send(out, "retry: 2000\n\n");
      if (beginning.oldest() != null) {
        sendReset(out, beginning.oldest());
      }
      long seen = beginning.seen();
      boolean replaying = question.after().isPresent();
      StreamRights rights = new StreamRights(this::mayRead);
      while (may.isPresent() && rights.stillHeld() && !streams.closed) {
        seen = forward(out, seen, may.orElseThrow());
        if (replaying) { // tells a reader of stored events that it has them all
          send(out, ": replayed\n\n");
          replaying = false;
        }
        if (System.nanoTime() - sent >= HEARTBEAT.toNanos()) {
          send(out, ": heartbeat\n\n");
        }
        Duration pause = log.awaitsWriters() ? SETTLING : StreamRights.BETWEEN_CHECKS;
        if (signal.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS)) {
          signal.drainPermits();
        }
      }
    } finally {
      streams.waiting.remove(signal);
    }
  }

  private Beginning begin() {
    long newest = log.newest();
    if (question.after().isEmpty()) {
      return new Beginning(newest, null);
    }
    long after = question.after().get();
    long oldest = log.oldest().orElse(newest + 1);
    if (after > log.drawn()) {
      return new Beginning(newest, oldest);
    }
    boolean forgotten = after > 0 && after + 1 < oldest;
    return forgotten ? new Beginning(oldest - 1, oldest) : new Beginning(after, null);
  }

  /** Sends what is new; answers up to which id everything has been looked at. */
  private long forward(OutputStream out, long from, Visible may) throws IOException {
    EventLog.Filter filter =
        new EventLog.Filter(
            question.application(), question.environment(), question.types(), may.teams());
    long seen = from;
    try {
      while (true) {
        long newest = log.newest();
        if (seen > log.drawn()) { // the database was restored, or failed over with loss
          sendReset(out, log.oldest().orElse(newest + 1));
          return newest;
        }
        if (newest <= seen) { // below it, when another replica knew more
          return seen;
        }
        List<StoredEvent> events = log.between(seen, newest, filter, BATCH);
        StringBuilder text = new StringBuilder();
        for (StoredEvent event : events) {
          text.append(frame(event));
          seen = event.id();
          if (text.length() > LONGEST_WRITE) {
            send(out, text.toString());
            text.setLength(0);
          }
        }
        if (!text.isEmpty()) {
          send(out, text.toString());
        }
        if (events.size() < BATCH) {
          return Math.max(seen, newest);
        }
      }
    } catch (RuntimeException e) {
      LOG.warn("events cannot be read, trying again: {}", e.getMessage());
      return seen;
    }
  }

  /** Looks up whose events the reader may see now, and whether there are any. */
  private boolean mayRead() {
    may = visible.get();
    return may.isPresent();
  }

  private String frame(StoredEvent stored) {
    return "id: "
        + stored.id()
        + "\nevent: "
        + stored.event().type()
        + "\ndata: "
        + view.json(stored)
        + "\n\n";
  }

  private void sendReset(OutputStream out, long oldest) throws IOException {
    send(out, "event: " + EventView.RESET + "\ndata: " + EventView.reset(oldest) + "\n\n");
  }

  private void send(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
    sent = System.nanoTime();
  }
}
