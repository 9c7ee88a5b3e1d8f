package dev.slipway.bench;

import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.steps.NoopExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Runs of two steps a second through the server: asked for over HTTP by several callers, until the
 * last application is active. Beside it the engine's own rate, of runs that are stored already.
 */
final class HttpRate {
  private static final int CALLERS = 8;
  private static final int ENGINE_RUNS = 5_000;

  private HttpRate() {}

  static void measure(BenchServer server, Figures figures) throws Exception {
    double engine = engine();
    perSecond(server, "http-warm-", 200, 1);
    add(figures, 1, perSecond(server, "http-one-", 500, 1), engine);
    add(figures, 100, perSecond(server, "http-many-", 30, 100), engine);
  }

  private static void add(Figures figures, int resources, double rate, double engine) {
    figures.add(
        "runs a second over HTTP, applications of " + resources,
        "%.0f /s".formatted(rate),
        "",
        "the engine alone %.0f /s".formatted(engine),
        "%.2f".formatted(rate / engine));
  }

  private static double engine() throws Exception {
    try (BenchDatabase postgres = new BenchDatabase()) {
      DatabaseClock clock = new DatabaseClock(postgres.database(), Threads.OF_MACHINE);
      RunLoad load =
          new RunLoad(
              postgres.database(), clock, List.of(new NoopExecutor()), RunBenchmark.TWO_STEPS);
      load.perSecond(ENGINE_RUNS); // warms up the JVM
      return load.perSecond(ENGINE_RUNS);
    }
  }

  private static double perSecond(BenchServer server, String prefix, int count, int resources)
      throws Exception {
    long began = System.nanoTime();
    try (ExecutorService callers = Executors.newFixedThreadPool(CALLERS)) {
      List<Callable<Void>> posts = new ArrayList<>();
      IntStream.range(0, count)
          .forEach(
              i ->
                  posts.add(
                      () -> {
                        server.deploy(prefix + i, "nothing", resources);
                        return null;
                      }));
      for (Future<Void> post : callers.invokeAll(posts)) {
        post.get();
      }
    }
    server.awaitActive(prefix, count);
    return count * resources * 1e9 / (System.nanoTime() - began);
  }
}
