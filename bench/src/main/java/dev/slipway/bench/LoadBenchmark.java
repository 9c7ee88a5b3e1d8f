package dev.slipway.bench;

import dev.slipway.engine.value.Values;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

/**
 * Twenty thousand runs in the queue, asked for by more callers than the server lets in: what
 * readers of the API feel while the queue fills, stands and is worked off, and what that takes of
 * memory. While the queue fills, one run at a time is allowed, and that one sleeps.
 */
public final class LoadBenchmark {
  private static final int QUEUED = 20_000;
  private static final int USUAL_RESOURCES = 100;
  private static final String LIMITS = "engine: {maxQueuedRuns: " + QUEUED + ", maxWrites: 6}\n";
  private static final Duration LOOK = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration RESPONSIVE = Duration.ofMillis(100);
  private static final long MOST_MEGABYTES = 512;

  private final BenchServer server;
  private final int resources;
  private final Figures figures = new Figures();
  private final Map<String, Readers.Times> times = new LinkedHashMap<>();
  private final Map<String, String> memory = new LinkedHashMap<>();
  private final List<String> errors = new ArrayList<>();
  private final List<String> missed = new ArrayList<>();

  private LoadBenchmark(BenchServer server, int resources) {
    this.server = server;
    this.resources = resources;
  }

  /**
   * All of it, on one server. Arguments: the layout, how many resources an application has (100).
   * Fails when something went wrong, and when a goal was missed.
   */
  public static void main(String[] arguments) throws Exception {
    Path layout = Path.of(arguments[0]).toAbsolutePath();
    int resources = arguments.length > 1 ? Integer.parseInt(arguments[1]) : USUAL_RESOURCES;
    List<String> bad = new ArrayList<>();
    try (BenchServer server = new BenchServer(layout, Files.createTempDirectory("slipway-bench"))) {
      server.configure(LIMITS);
      server.start();
      LoadBenchmark load = new LoadBenchmark(server, resources);
      load.run();
      load.figures.print();
      bad.addAll(load.missed);
      bad.addAll(load.errors);
    }
    bad.stream().limit(10).forEach(System.err::println);
    System.exit(bad.isEmpty() ? 0 : 1);
  }

  private void run() throws Exception {
    for (int round = 0; round < 5; round++) {
      server.deploy("warm-" + round, "nothing", resources);
    }
    server.deploy("page", "nothing", 20);
    server.awaitActive("warm-", 5);
    server.awaitActive("page", 1);
    String run = "" + page("/api/workflows?limit=1").getFirst().get("id");
    List<String> pages =
        List.of(
            "/api/workflows?limit=50",
            "/api/applications/page",
            "/api/workflows/" + run,
            "/api/resources?limit=50",
            "/api/applications?limit=50");
    try (Readers readers = new Readers(server, pages)) {
      Thread.sleep(LOOK);
      readers.times();
      Thread.sleep(LOOK);
      took("idle", readers);
      server.configure(LIMITS + "workflowPolicies: {maxConcurrentWorkflows: 1}\n");
      server.reload();
      server.deploy("sleeper", "long", 1);
      Submitters submitters = new Submitters(server, resources);
      submitters.awaitFull();
      took("while the queue fills", readers);
      final long standing = queued();
      Thread.sleep(LOOK);
      took("while " + QUEUED + " stand in the queue", readers);
      final Duration drained = drain(submitters, readers, standing);
      errors.addAll(submitters.errors());
      errors.addAll(readers.errors());
      tell(submitters, standing, drained);
    }
  }

  private Duration drain(Submitters submitters, Readers readers, long standing) throws Exception {
    server.configure(LIMITS);
    server.reload();
    Instant began = Instant.now();
    until(() -> queued() <= standing / 2, "half of the queue is worked off");
    memory("half of them worked off");
    submitters.awaitAll(PATIENCE);
    until(() -> server.active("load-") >= submitters.accepted(), "all are active");
    Duration drained = Duration.between(began, Instant.now());
    took("while they are worked off", readers);
    return drained;
  }

  private static void until(Callable<Boolean> holds, String what) throws Exception {
    Instant end = Instant.now().plus(PATIENCE);
    while (!holds.call()) {
      if (Instant.now().isAfter(end)) {
        throw new IllegalStateException("after " + PATIENCE + " it is not so that " + what);
      }
      Thread.sleep(500);
    }
  }

  private void took(String when, Readers readers) throws Exception {
    Readers.Times read = readers.times();
    times.put(when, read);
    memory(when);
    System.err.println(
        when
            + ": p50 "
            + millis(read.percentile(50))
            + ", p99 "
            + millis(read.percentile(99))
            + ", "
            + memory.get(when));
    read.percentiles(99)
        .forEach((page, took) -> System.err.println("  " + page + ": p99 " + millis(took)));
  }

  private void memory(String when) throws Exception {
    long megabytes = server.residentKilobytes() / 1024;
    memory.put(
        when,
        "%d MB resident, %d MB of heap in use".formatted(megabytes, server.heapKilobytes() / 1024));
    if (megabytes > MOST_MEGABYTES) {
      missed.add("goal missed: " + megabytes + " MB resident " + when);
    }
  }

  private void tell(Submitters submitters, long standing, Duration drained) {
    figures.add("runs standing in the queue", "" + standing, "" + QUEUED, "", "");
    figures.add("runs a second taken in", "%.0f".formatted(submitters.runsASecond()), "", "", "");
    int runs = submitters.accepted() * resources;
    figures.add(
        "runs a second worked off", "%.0f".formatted(runs * 1e9 / drained.toNanos()), "", "", "");
    Readers.Times idle = Objects.requireNonNull(times.get("idle"), "measured before all others");
    times.forEach(
        (when, read) -> {
          if (read.percentile(99).compareTo(RESPONSIVE) > 0) {
            missed.add("goal missed: p99 of GET " + when + " " + millis(read.percentile(99)));
          }
          for (int percent : new int[] {50, 99}) {
            figures.add(
                "GET " + when + ", p" + percent,
                millis(read.percentile(percent)),
                percent == 99 ? "< 100 ms" : "",
                "idle " + millis(idle.percentile(percent)),
                read.percentile(percent),
                idle.percentile(percent));
          }
        });
    if (submitters.tooManyAtOnce.get() == 0 || submitters.queueFull.get() == 0) {
      missed.add("goal missed: no submitter was answered 429 or 503");
    }
    memory.forEach(
        (when, much) ->
            figures.add("memory, " + when, much, "< " + MOST_MEGABYTES + " MB", "", ""));
    figures.add(
        "answers to come back later",
        "%d × 429 at once, %d × 503 queue full, %d × 503 busy; all with Retry-After"
            .formatted(
                submitters.tooManyAtOnce.get(),
                submitters.queueFull.get(),
                submitters.databaseBusy.get()),
        "some",
        "",
        "");
    figures.add("other errors", "" + errors.size(), "0", "", "");
  }

  private long queued() throws Exception {
    Object pending = Values.map(server.get("/api/stats").get("runs")).get("pending");
    return pending == null ? 0 : ((Number) pending).longValue();
  }

  private List<Map<String, Object>> page(String path) throws Exception {
    return BenchServer.items(server.get(path), "data");
  }

  private static String millis(Duration duration) {
    return "%.1f ms".formatted(duration.toNanos() / 1e6);
  }
}
