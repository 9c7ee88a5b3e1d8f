package dev.slipway.bench;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.steps.NoopExecutor;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.SynchronousQueue;

/**
 * Durable runs of two steps that do nothing: per second, and transitions per second. Beside them,
 * in the same minute on the same PostgreSQL: transactions per second that write one transition
 * each.
 */
public final class RunBenchmark {
  /** Of the run: claimed, ended. Of each step: started, ended. */
  private static final int TRANSITIONS_PER_RUN = 6;

  /** After that PostgreSQL has counted what was written. */
  private static final Duration STATISTICS = Duration.ofMillis(1_500);

  static final String TWO_STEPS =
      """
      apiVersion: innominatus.io/v1alpha1
      kind: Workflow
      metadata: {name: nothing}
      steps:
        - {name: one, type: noop}
        - {name: two, type: noop}
      """;

  private final Database database;
  private final DatabaseClock clock;
  private final ProcessorTime cpu;
  private final RunLoad load;

  private RunBenchmark(Database database, ProcessHandle postgres) {
    this.database = database;
    this.cpu = new ProcessorTime(postgres);
    this.clock = new DatabaseClock(database, Threads.OF_MACHINE);
    this.load = new RunLoad(database, clock, List.of(new NoopExecutor()), TWO_STEPS);
  }

  /** Arguments: how many runs (10000). */
  public static void main(String[] arguments) throws Exception {
    int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
    try (BenchDatabase postgres = new BenchDatabase()) {
      new RunBenchmark(postgres.database(), postgres.process()).measure(runs);
    }
    System.exit(0);
  }

  private void measure(int runs) throws Exception {
    load.perSecond(Math.min(runs, 3000)); // warms up the JVM
    double ceiling = OneTransactionEach.perSecond(database, Duration.ofSeconds(5));
    ProcessorTime.Used before = cpu.used();
    double[] rate = new double[1];
    final double queued = logged(runs, () -> rate[0] = load.perSecond(runs));
    double perSecond = rate[0];
    ProcessorTime.Used used = cpu.used().since(before);
    double after = OneTransactionEach.perSecond(database, Duration.ofSeconds(5));
    double raw = Math.max(ceiling, after);
    double transitions = perSecond * TRANSITIONS_PER_RUN;
    say("durable two-step no-op runs     %,8.0f /s", perSecond);
    say("transitions                     %,8.0f /s", transitions);
    say("one transaction per transition  %,8.0f /s", raw);
    say("transitions against that        %8.2f times", transitions / raw);
    say("processor time of one run       %8.2f ms", used.millis() / runs);
    say("  of that Slipway               %8.2f ms", used.ours() / runs);
    say("  of that PostgreSQL            %8.2f ms", used.postgres() / runs);
    say("runs on two free cores          %,8.0f /s", 2000 * runs / used.millis());
    long[] latency = startLatency(200);
    say(
        "made to first step begun, p50   %8.1f ms (goal 2.0 ms)",
        latency[latency.length / 2] / 1e6);
    say("made to first step begun, p99   %8.1f ms", latency[latency.length * 99 / 100] / 1e6);
    say("log of a run from the queue     %,8.0f bytes", queued);
    say(
        "log of a run claimed when made  %,8.0f bytes (goal 3,000 bytes)",
        logged(runs, () -> load.arriving(runs, 50)));
    Thread.sleep(STATISTICS.toMillis());
    say("updates of runs on their page   %8.0f %%", 100 * onTheirPage("runs"));
    say("updates of steps on their page  %8.0f %%", 100 * onTheirPage("steps"));
  }

  /** The share of updates that touched no index (HOT), of all since the database was made. */
  private double onTheirPage(String table) {
    return database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery(
                        "SELECT n_tup_hot_upd::float8 / greatest(n_tup_upd, 1)"
                            + " FROM pg_stat_user_tables WHERE relname = ?")
                    .bind(0, table)
                    .mapTo(Double.class)
                    .one());
  }

  /** Something that the log of the database is measured for. */
  private interface Work {
    void run() throws InterruptedException;
  }

  /**
   * Bytes of write-ahead log for each run. No checkpoint falls into the time of the benchmark, so
   * that hardly a page is logged as a whole: after each checkpoint that adds to this.
   */
  private double logged(int runs, Work work) throws InterruptedException {
    String before = log("SELECT pg_current_wal_lsn()::text");
    work.run();
    return Double.parseDouble(
            log("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '" + before + "')::text"))
        / runs;
  }

  private String log(String sql) {
    return database.jdbi().withHandle(h -> h.createQuery(sql).mapTo(String.class).one());
  }

  /** One run at a time, from before it is stored to the moment its first step is called. */
  private long[] startLatency(int count) throws InterruptedException {
    SynchronousQueue<Long> begun = new SynchronousQueue<>();
    StepExecutor first =
        new StepExecutor() {
          @Override
          public StepType type() {
            return new NoopExecutor().type();
          }

          @Override
          public Result execute(StepCall call) throws InterruptedException {
            if (call.step().name().equals("one")) {
              begun.put(System.nanoTime());
            }
            return new Result.Succeeded(Map.of(), Set.of());
          }
        };
    long[] nanos = new long[count];
    RunLoad single = new RunLoad(database, clock, List.of(first), TWO_STEPS);
    single.whileUp(
        store -> {
          for (int i = 0; i < count; i++) {
            List<NewRun> one = single.runs(1);
            long start = System.nanoTime();
            store.insert(one);
            nanos[i] = begun.take() - start;
          }
        });
    Arrays.sort(nanos);
    return nanos;
  }

  private static void say(String format, double number) {
    System.out.printf(Locale.ROOT, format + "%n", number);
  }
}
