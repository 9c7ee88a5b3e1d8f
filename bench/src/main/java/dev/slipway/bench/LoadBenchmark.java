package dev.slipway.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Twenty thousand runs asked for at once: what readers of the API feel while they are worked off.
 */
public final class LoadBenchmark {
  private static final int APPLICATIONS = 40;
  private static final int RESOURCES = 500;

  private LoadBenchmark() {}

  /** Idle first, then under load, on the same server. */
  public static void main(String[] arguments) throws Exception {
    Path layout = Path.of(arguments[0]).toAbsolutePath();
    BenchServer server = new BenchServer(layout, Files.createTempDirectory("slipway-bench"));
    ServerBenchmarks.Figures figures = new ServerBenchmarks.Figures();
    try {
      server.start();
      server.deploy("warm", "nothing", RESOURCES);
      server.awaitActive("warm", 1);
      Instant idleUntil = Instant.now().plusSeconds(10);
      List<Duration> idle = new ArrayList<>();
      while (Instant.now().isBefore(idleUntil)) {
        idle.add(reading(server));
      }
      long idleMemory = server.residentKilobytes();
      load(server, figures, idle, idleMemory);
    } finally {
      server.close();
    }
    figures.print();
  }

  private static void load(
      BenchServer server, ServerBenchmarks.Figures figures, List<Duration> idle, long idleMemory)
      throws Exception {
    Instant began = Instant.now();
    CompletableFuture<Void> work = CompletableFuture.runAsync(() -> work(server));
    List<Duration> busy = new ArrayList<>();
    long memory = idleMemory;
    while (!work.isDone()) {
      busy.add(reading(server));
      memory = Math.max(memory, server.residentKilobytes());
    }
    work.join();
    Duration took = Duration.between(began, Instant.now());
    int runs = APPLICATIONS * RESOURCES;
    for (int percent : new int[] {50, 99}) {
      Duration of = percentile(busy, percent);
      Duration base = percentile(idle, percent);
      figures.add(
          "GET while " + runs + " runs are worked off, p" + percent,
          millis(of),
          percent == 99 ? "< 250 ms" : "",
          "idle " + millis(base),
          of,
          base);
    }
    figures.add(
        "most memory (RSS) meanwhile",
        memory / 1024 + " MB",
        "no growth with the queue",
        "idle " + idleMemory / 1024 + " MB",
        "%.2f".formatted((double) memory / idleMemory));
    figures.add(
        runs + " runs from the first POST to the last end",
        "%.1f s".formatted(took.toMillis() / 1000.0),
        "",
        "%.0f runs a second".formatted(runs * 1000.0 / took.toMillis()),
        "");
  }

  private static void work(BenchServer server) {
    try {
      for (int i = 0; i < APPLICATIONS; i++) {
        server.deploy("load-" + i, "nothing", RESOURCES);
      }
      server.awaitActive("load-", APPLICATIONS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** What a person looks at: a list of runs, one application in turn. */
  private static Duration reading(BenchServer server) throws Exception {
    Instant began = Instant.now();
    server.get(
        began.toEpochMilli() % 2 == 0 ? "/api/workflows?limit=50" : "/api/applications/warm");
    Duration took = Duration.between(began, Instant.now());
    Thread.sleep(5);
    return took;
  }

  private static Duration percentile(List<Duration> all, int percent) {
    List<Duration> sorted = all.stream().sorted().toList();
    return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
  }

  private static String millis(Duration duration) {
    return "%.1f ms".formatted(duration.toNanos() / 1e6);
  }
}
