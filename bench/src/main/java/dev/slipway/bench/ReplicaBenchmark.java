package dev.slipway.bench;

import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.RunStore.Outcome;
import dev.slipway.engine.execute.RunStore.Owner;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.execute.StepRecord;
import dev.slipway.engine.graph.Event;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.postgres.RootColumn;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.steps.NoopExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Three replicas that write transitions into one database: per second, and how long one takes. The
 * baseline is the same program with what earlier versions did in each transaction that appends
 * events: one advisory lock for all writers, held until the commit, and NOTIFY. A trigger adds
 * both, and the two are measured in turns. Once with the disk as it is, once with a flush that
 * takes 5 ms ({@code commit_delay}), as over a network.
 */
public final class ReplicaBenchmark {
  private static final int REPLICAS = 3;

  /** Of each replica at the same time. */
  private static final int RUNS = 24;

  private static final int ROUNDS = 3;

  private static final String SHARED_LOCK =
      """
      CREATE OR REPLACE FUNCTION shared_lock() RETURNS trigger LANGUAGE plpgsql AS '
      BEGIN
        PERFORM pg_advisory_xact_lock(85037991);
        PERFORM pg_notify(''slipway'', ''events:'');
        RETURN NULL;
      END'
      """;

  private static final String FOR_EACH_WRITER =
      "CREATE TRIGGER shared_lock BEFORE INSERT ON events"
          + " FOR EACH STATEMENT EXECUTE FUNCTION shared_lock()";

  private final BenchDatabase postgres;
  private final Duration time;

  private ReplicaBenchmark(BenchDatabase postgres, Duration time) {
    this.postgres = postgres;
    this.time = time;
  }

  /** Arguments: seconds for each measurement (4). */
  public static void main(String[] arguments) throws Exception {
    long seconds = arguments.length > 0 ? Long.parseLong(arguments[0]) : 4;
    try (BenchDatabase postgres = new BenchDatabase()) {
      ReplicaBenchmark benchmark = new ReplicaBenchmark(postgres, Duration.ofSeconds(seconds));
      benchmark.measure("flush of this disk", 0);
      benchmark.measure("flush of 5 ms", 5_000);
    }
    System.exit(0);
  }

  /** What writers had in common. */
  private enum Variant {
    SHARED_LOCK,
    NOTHING_SHARED
  }

  private record Result(double perSecond, double millisEach, double processorMillis) {}

  private void measure(String what, int flushMicros) throws Exception {
    execute("ALTER DATABASE postgres SET commit_delay = " + flushMicros);
    execute("ALTER DATABASE postgres SET commit_siblings = 0");
    List<Result> locked = new ArrayList<>();
    List<Result> free = new ArrayList<>();
    for (int round = 0; round <= ROUNDS; round++) {
      Result one = run(Variant.SHARED_LOCK);
      Result other = run(Variant.NOTHING_SHARED);
      if (round > 0) { // the first warms up
        locked.add(one);
        free.add(other);
      }
    }
    System.out.printf(Locale.ROOT, "%s, three replicas%n", what);
    say("  lock and NOTIFY in each transaction", median(locked));
    say("  nothing shared", median(free));
    System.out.printf(
        Locale.ROOT,
        "  %-36s %8.2f times%n",
        "against that",
        median(free).perSecond() / median(locked).perSecond());
  }

  private static void say(String what, Result result) {
    System.out.printf(
        Locale.ROOT,
        "%-38s %,8.0f transitions/s  %6.1f ms each  %6.3f ms of processors%n",
        what,
        result.perSecond(),
        result.millisEach(),
        result.processorMillis());
  }

  private static Result median(List<Result> results) {
    return results.stream()
        .sorted((a, b) -> Double.compare(a.perSecond(), b.perSecond()))
        .toList()
        .get(results.size() / 2);
  }

  private Result run(Variant variant) throws Exception {
    execute("DROP TRIGGER IF EXISTS shared_lock ON events");
    if (variant == Variant.SHARED_LOCK) {
      execute(SHARED_LOCK);
      execute(FOR_EACH_WRITER);
    }
    List<Replica> replicas = new ArrayList<>();
    for (int i = 0; i < REPLICAS; i++) {
      replicas.add(new Replica("replica" + i));
    }
    ProcessorTime cpu = new ProcessorTime(postgres.process());
    ProcessorTime.Used before = cpu.used();
    long start = System.nanoTime();
    long end = start + time.toNanos();
    List<Thread> writers = new ArrayList<>();
    for (Replica replica : replicas) {
      for (ClaimedRun run : replica.claimed) {
        writers.add(Thread.ofVirtual().start(() -> replica.write(run, end)));
      }
    }
    for (Thread writer : writers) {
      writer.join();
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    double processors = cpu.used().since(before).millis();
    long done = replicas.stream().mapToLong(r -> r.done.get()).sum();
    replicas.forEach(Replica::close);
    return new Result(done / seconds, seconds * 1e3 * REPLICAS * RUNS / done, processors / done);
  }

  private void execute(String sql) {
    postgres.database().jdbi().useHandle(h -> h.execute(sql));
  }

  /** All that one process would have. */
  private final class Replica implements AutoCloseable {
    private final Database database = Database.open(postgres.database().address(), 4);
    private final Notifications notifications = new Notifications(database);
    private final PostgresRuns store =
        new PostgresRuns(database, notifications, new SecretBox(new byte[32]));
    private final List<ClaimedRun> claimed;
    private final AtomicLong done = new AtomicLong();

    Replica(String name) {
      try (DatabaseClock clock = new DatabaseClock(database, Threads.OF_MACHINE)) {
        RunLoad load =
            new RunLoad(database, clock, List.of(new NoopExecutor()), RunBenchmark.TWO_STEPS);
        store.insert(load.runs(RUNS));
        this.claimed =
            store.claim(
                new Owner(name, "" + System.nanoTime()),
                RUNS,
                clock.instant(),
                Duration.ofHours(1));
      }
    }

    /** One transition after the other. */
    void write(ClaimedRun run, long end) {
      for (long version = run.version(); System.nanoTime() < end; version++) {
        if (store.write(transition(run, version)).join() != Outcome.WRITTEN) {
          throw new IllegalStateException("run " + run.id() + " was fenced");
        }
        done.incrementAndGet();
      }
    }

    private RunWrite transition(ClaimedRun run, long version) {
      Instant now = Instant.now();
      return new RunWrite(
          run.id(),
          run.fence(),
          version,
          List.of(StepRecord.pending("one").started("hash", now)),
          List.of(),
          Optional.empty(),
          Optional.empty(),
          RunWrite.Others.NONE,
          List.of(
              new Event(
                  "step.started",
                  RootColumn.ref("shop", "default"),
                  "default",
                  "team",
                  "engine",
                  now,
                  Map.of("runId", run.id().toString()))),
          now);
    }

    @Override
    public void close() {
      store.close();
      notifications.close();
      database.close();
    }
  }
}
