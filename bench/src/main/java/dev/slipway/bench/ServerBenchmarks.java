package dev.slipway.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a person or a client feels, measured from outside on a real server process of the installed
 * layout with its own durable PostgreSQL.
 */
public final class ServerBenchmarks {
  private ServerBenchmarks() {}

  /** Runs all of them. */
  public static void main(String[] arguments) throws Exception {
    Path layout = Path.of(arguments[0]).toAbsolutePath();
    Path directory = Files.createTempDirectory("slipway-bench");
    BenchServer server = new BenchServer(layout, directory);
    Figures figures = new Figures();
    try {
      server.start();
      server.stop();
      start(server, figures);
      idle(server, figures);
      commandLine(server, figures, layout);
      latency(server, figures);
      sizes(server, figures);
      HttpRate.measure(server, figures);
      longStep(server, figures);
    } finally {
      server.close();
    }
    figures.print();
  }

  private static void start(BenchServer server, Figures figures) throws Exception {
    Duration empty = bareJvm(server);
    Duration ready = server.start();
    figures.add(
        "time to ready, existing data",
        seconds(ready),
        "≤ 3 s",
        "bare JVM start " + seconds(empty),
        ready,
        empty);
  }

  private static Duration bareJvm(BenchServer server) throws Exception {
    return median(
        5,
        () -> server.command(List.of(System.getProperty("java.home") + "/bin/java", "-version")));
  }

  private static void idle(BenchServer server, Figures figures) throws Exception {
    Thread.sleep(Duration.ofSeconds(10));
    long kilobytes = server.residentKilobytes();
    figures.add(
        "idle server memory (RSS)",
        kilobytes / 1024 + " MB",
        "≤ 300 MB",
        "the goal",
        "%.2f".formatted(kilobytes / 1024.0 / 300));
  }

  private static void commandLine(BenchServer server, Figures figures, Path layout)
      throws Exception {
    Duration empty = bareJvm(server);
    Duration status =
        median(
            11, () -> server.command(List.of(layout.resolve("bin/slipway").toString(), "status")));
    figures.add(
        "slipway status",
        seconds(status),
        "≤ 0.5 s",
        "bare JVM start " + seconds(empty),
        status,
        empty);
  }

  private static void latency(BenchServer server, Figures figures) throws Exception {
    List<Duration> writes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Instant began = Instant.now();
      server.post("/api/teams", "application/json", "{\"name\": \"team-" + i + "\"}");
      writes.add(Duration.between(began, Instant.now()));
    }
    Duration write = percentile(writes, 50);
    for (int i = 0; i < 200; i++) {
      server.deploy("warm-" + i, "nothing", 1);
    }
    server.awaitActive("warm-", 200);
    List<Duration> delays = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String name = "late-" + i;
      server.deploy(name, "nothing", 1);
      server.awaitActive(name, 1);
      delays.add(server.startDelay(name));
    }
    String baseline = "one durable API write " + millis(write);
    figures.add(
        "spec accepted → first step started, p50",
        millis(percentile(delays, 50)),
        "≤ 1.2 writes",
        baseline,
        percentile(delays, 50),
        write);
    figures.add(
        "spec accepted → first step started, p99",
        millis(percentile(delays, 99)),
        "100 ms",
        baseline,
        percentile(delays, 99),
        write);
  }

  private static void sizes(BenchServer server, Figures figures) throws Exception {
    for (int round = 0; round < 25; round++) {
      server.deploy("size-warm-" + round, "nothing", 50);
    }
    server.awaitActive("size-warm-", 25);
    Duration one = null;
    for (int size : new int[] {1, 10, 50, 100, 1000}) {
      List<Duration> took = new ArrayList<>();
      int rounds = size >= 1000 ? 3 : 9;
      for (int round = 0; round < rounds; round++) {
        String name = "size-" + size + "-" + round;
        Instant began = Instant.now();
        server.deploy(name, "nothing", size);
        took.add(Duration.between(began, Instant.now()));
        server.awaitActive(name, 1);
      }
      Duration median = percentile(took, 50);
      one = one == null ? median : one;
      String perResource = "%.2f ms a resource".formatted(median.toNanos() / 1e6 / size);
      figures.add(
          "POST with " + size + " resources",
          millis(median),
          size == 50 ? "< 50 ms" : "linear",
          "POST with 1: " + millis(one) + "; " + perResource,
          median,
          one);
    }
  }

  private static void longStep(BenchServer server, Figures figures) throws Exception {
    Duration alone = hundred(server, "alone-");
    server.deploy("sleeper", "slow", 1);
    Duration beside = hundred(server, "beside-");
    figures.add(
        "100 fast applications beside a step of 60 s",
        seconds(beside),
        "as if alone",
        "alone " + seconds(alone),
        beside,
        alone);
  }

  private static Duration hundred(BenchServer server, String prefix) throws Exception {
    Instant began = Instant.now();
    for (int i : IntStream.range(0, 100).toArray()) {
      server.deploy(prefix + i, "nothing", 1);
    }
    server.awaitActive(prefix, 100);
    return Duration.between(began, Instant.now());
  }

  private interface Timed {
    Duration run() throws Exception;
  }

  private static Duration median(int rounds, Timed timed) throws Exception {
    List<Duration> all = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      all.add(timed.run());
    }
    return percentile(all, 50);
  }

  private static Duration percentile(List<Duration> all, int percent) {
    List<Duration> sorted = all.stream().sorted().toList();
    return sorted.get(Math.min(sorted.size() - 1, sorted.size() * percent / 100));
  }

  private static String seconds(Duration duration) {
    return "%.2f s".formatted(duration.toMillis() / 1000.0);
  }

  private static String millis(Duration duration) {
    return "%.1f ms".formatted(duration.toNanos() / 1e6);
  }
}
