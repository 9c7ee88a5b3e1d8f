package dev.slipway.bench;

import static java.util.stream.Collectors.toList;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A few clients that read pages one after the other, and the latency of each page. */
final class Readers implements AutoCloseable {
  private static final int PEOPLE = 4;
  private static final Duration GLANCE = Duration.ofMillis(20);

  private final BenchServer server;
  private final List<String> pages;
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<Look> taken = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Exception> refused = new ConcurrentLinkedQueue<>();

  Readers(BenchServer server, List<String> pages) {
    this.server = server;
    this.pages = pages;
    for (int person = 0; person < PEOPLE; person++) {
      int first = person;
      threads.add(Thread.ofPlatform().daemon().start(() -> read(first)));
    }
  }

  private void read(int first) {
    try {
      for (int page = first; ; page++) {
        look(pages.get(page % pages.size()));
        TimeUnit.MILLISECONDS.sleep(GLANCE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(String page) throws InterruptedException {
    long began = System.nanoTime();
    try {
      server.get(page);
      taken.add(new Look(page, Duration.ofNanos(System.nanoTime() - began)));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      refused.add(e);
    }
  }

  /** What was read since this was last asked. */
  Times times() {
    List<Look> all = new ArrayList<>();
    for (Look one = taken.poll(); one != null; one = taken.poll()) {
      all.add(one);
    }
    return new Times(all.stream().sorted(Comparator.comparing(Look::took)).toList());
  }

  /** Answers that were no page. */
  List<String> errors() {
    return refused.stream().map(Exception::toString).toList();
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
  }

  /** One page, and how long it took. */
  record Look(String page, Duration took) {}

  /** How long pages took, shortest first. */
  record Times(List<Look> sorted) {
    Duration percentile(int percent) {
      if (sorted.isEmpty()) {
        throw new IllegalStateException("nothing was read");
      }
      return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100)).took();
    }

    /** The same for each page. */
    Map<String, Duration> percentiles(int percent) {
      Map<String, List<Look>> pages =
          sorted.stream().collect(Collectors.groupingBy(Look::page, TreeMap::new, toList()));
      Map<String, Duration> out = new LinkedHashMap<>();
      pages.forEach((page, looks) -> out.put(page, new Times(looks).percentile(percent)));
      return out;
    }
  }
}
