package dev.slipway.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** A few people who look at pages one after the other, and how long each page took them. */
final class Readers implements AutoCloseable {
  private static final int PEOPLE = 4;
  private static final Duration GLANCE = Duration.ofMillis(20);

  private final BenchServer server;
  private final List<String> pages;
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<Duration> taken = new ConcurrentLinkedQueue<>();
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
      taken.add(Duration.ofNanos(System.nanoTime() - began));
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      refused.add(e);
    }
  }

  /** What was read since this was last asked. */
  Times times() {
    List<Duration> all = new ArrayList<>();
    for (Duration one = taken.poll(); one != null; one = taken.poll()) {
      all.add(one);
    }
    return new Times(all.stream().sorted().toList());
  }

  /** Answers that were no page. */
  List<String> errors() {
    return refused.stream().map(Exception::toString).toList();
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
  }

  /** How long pages took, shortest first. */
  record Times(List<Duration> sorted) {
    Duration percentile(int percent) {
      return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
    }
  }
}
