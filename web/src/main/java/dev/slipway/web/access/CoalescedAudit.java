package dev.slipway.web.access;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.access.AuditLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Audit entries of calls that changed nothing. Callers can send any number of these, so they are
 * coalesced: the first of a kind is written at once, the number of its repetitions at the end of
 * its minute. The entries of a minute are limited for each caller and for the replica.
 */
public final class CoalescedAudit implements AutoCloseable {
  static final Duration WINDOW = Duration.ofMinutes(1);
  static final int KINDS_OF_A_CALLER = 20;
  static final int KINDS_OF_ALL = 500;

  private static final Logger LOG = LoggerFactory.getLogger(CoalescedAudit.class);
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);
  private static final String ANY = "*";

  private final AuditLog log;
  private final InstantSource clock;
  private final Map<Key, Window> windows = new HashMap<>();
  private final Map<String, Integer> kindsOf = new HashMap<>();
  private final Thread thread;

  private record Key(String caller, String kind) {}

  private static final class Window {
    private final AuditLog.Entry first;
    private long more;

    Window(AuditLog.Entry first) {
      this.first = first;
    }
  }

  public CoalescedAudit(AuditLog log, InstantSource clock, Threads threads) {
    this.log = log;
    this.clock = clock;
    this.thread = threads.attend("coalesced-audit", this::work);
  }

  /** Writes the entry, or counts it when this caller had one of this kind within the minute. */
  public void add(String caller, String kind, AuditLog.Entry entry) {
    if (isFirst(key(caller, kind), entry)) {
      write(entry);
    }
  }

  private synchronized Key key(String caller, String kind) {
    Key exact = new Key(caller, kind);
    if (windows.containsKey(exact)) {
      return exact;
    }
    if (windows.size() >= KINDS_OF_ALL) {
      return new Key(ANY, ANY);
    }
    return kindsOf.getOrDefault(caller, 0) >= KINDS_OF_A_CALLER ? new Key(caller, ANY) : exact;
  }

  private synchronized boolean isFirst(Key key, AuditLog.Entry entry) {
    Window window = windows.get(key);
    if (window != null) {
      window.more++;
      return false;
    }
    windows.put(key, new Window(entry));
    kindsOf.merge(key.caller(), 1, Integer::sum);
    return true;
  }

  private void work() {
    try {
      while (true) {
        Thread.sleep(BETWEEN_LOOKS);
        endWindowsBefore(clock.instant().minus(WINDOW));
      }
    } catch (InterruptedException e) {
      LOG.debug("coalescing audit entries has ended");
    }
  }

  /** Writes the number of repetitions of each entry that was first written before {@code then}. */
  void endWindowsBefore(Instant then) {
    for (Window window : ended(then)) {
      if (window.more > 0) {
        write(repetitions(window));
      }
    }
  }

  private synchronized List<Window> ended(Instant then) {
    List<Window> ended = new ArrayList<>();
    windows
        .entrySet()
        .removeIf(
            e -> {
              boolean over = !e.getValue().first.at().isAfter(then);
              if (over) {
                ended.add(e.getValue());
                kindsOf.computeIfPresent(e.getKey().caller(), (c, n) -> n == 1 ? null : n - 1);
              }
              return over;
            });
    return ended;
  }

  private AuditLog.Entry repetitions(Window window) {
    AuditLog.Entry first = window.first;
    Map<String, Object> detail = new LinkedHashMap<>(first.detail());
    detail.put("repeated", window.more);
    detail.put("since", first.at().toString());
    return new AuditLog.Entry(
        0,
        clock.instant(),
        first.user(),
        first.action(),
        first.object(),
        first.team(),
        first.outcome(),
        detail);
  }

  private void write(AuditLog.Entry entry) {
    try {
      log.append(entry);
    } catch (RuntimeException e) {
      LOG.warn(
          "a refused call is missing in the audit log: {} of {} on {}: {}",
          entry.action(),
          entry.user(),
          entry.object(),
          e.getMessage());
    }
  }

  /** Writes the pending counts. */
  @Override
  public void close() {
    thread.interrupt();
    endWindowsBefore(Instant.MAX);
  }
}
