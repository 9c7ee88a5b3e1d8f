package dev.slipway.bench;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * More clients than the server admits at once. Each deploys one application after the other until
 * enough runs are queued, and repeats a refused call after its {@code Retry-After}.
 */
final class Submitters {
  private static final int PEOPLE = 10;

  private final BenchServer server;
  private final int resources;
  private final Instant began = Instant.now();
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger accepted = new AtomicInteger();
  private final CountDownLatch full = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<String> errors = new ConcurrentLinkedQueue<>();

  /** Refused calls: too many at once, queue full, or no free database connection in time. */
  final AtomicInteger tooManyAtOnce = new AtomicInteger();

  final AtomicInteger queueFull = new AtomicInteger();
  final AtomicInteger databaseBusy = new AtomicInteger();
  private volatile Duration filling = Duration.ZERO;
  private volatile int acceptedBeforeFull;

  Submitters(BenchServer server, int resources) {
    this.server = server;
    this.resources = resources;
    for (int person = 0; person < PEOPLE; person++) {
      threads.add(Thread.ofPlatform().daemon().start(this::deployAll));
    }
  }

  private void deployAll() {
    try {
      while (full.getCount() > 0) {
        deploy("load-" + next.getAndIncrement());
      }
    } catch (Exception e) {
      errors.add(e.toString());
    }
  }

  private void deploy(String name) throws Exception {
    String score = BenchServer.score(name, "nothing", resources);
    while (true) {
      HttpResponse<String> answer = server.send("/api/applications", "application/yaml", score);
      switch (answer.statusCode()) {
        case 201, 202 -> {
          accepted.incrementAndGet();
          return;
        }
        case 429 -> tooManyAtOnce.incrementAndGet();
        case 503 -> full(answer);
        default -> {
          errors.add(name + ": " + answer.statusCode() + " " + answer.body());
          return;
        }
      }
      TimeUnit.SECONDS.sleep(Long.parseLong(answer.headers().firstValue("Retry-After").orElse("")));
    }
  }

  private synchronized void full(HttpResponse<String> answer) {
    if (!answer.body().contains("queue-full")) {
      databaseBusy.incrementAndGet();
    } else if (queueFull.getAndIncrement() == 0) {
      filling = Duration.between(began, Instant.now());
      acceptedBeforeFull = accepted.get();
      full.countDown();
    }
  }

  /** Waits until the server says that enough is queued. */
  void awaitFull() throws InterruptedException {
    if (!full.await(5, TimeUnit.MINUTES)) {
      throw new IllegalStateException("the queue never filled: " + errors);
    }
  }

  /** Waits until everything was let in. */
  void awaitAll(Duration patience) throws InterruptedException {
    for (Thread thread : threads) {
      if (!thread.join(patience)) {
        throw new IllegalStateException("a submitter was not admitted within " + patience);
      }
    }
  }

  /** How many applications there are in the end. */
  int accepted() {
    return accepted.get();
  }

  double runsASecond() {
    return acceptedBeforeFull * resources * 1e9 / filling.toNanos();
  }

  /** Answers that are neither accepted nor to be repeated. */
  List<String> errors() {
    return List.copyOf(errors);
  }
}
