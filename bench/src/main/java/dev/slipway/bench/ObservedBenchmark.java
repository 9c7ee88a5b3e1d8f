package dev.slipway.bench;

import dev.slipway.applications.store.ApplicationContext;
import dev.slipway.applications.store.ApplicationReconciler;
import dev.slipway.applications.store.ApplicationStore;
import dev.slipway.applications.store.ResourceObserver;
import dev.slipway.engine.execute.Executors;
import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.resolve.Operation;
import dev.slipway.engine.resolve.Registry;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.WorkflowParser;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.reconcile.ReconcileLoop;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.steps.NoopExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import org.jdbi.v3.core.Handle;

/**
 * 10,000 active resources at which a replica with nothing else to do looks once an interval: the
 * share of a core, statements and write-ahead log. Beside it, in turns, the same replica without
 * looks. A look is a run of one step that does nothing, so this is what Slipway adds to what the
 * provider does.
 */
public final class ObservedBenchmark {
  private static final double MOST_OF_A_CORE = 0.05;
  private static final int OF_AN_APPLICATION = 100;
  private static final int ROUNDS = 3;
  private static final Duration INTERVAL = AdminConfig.Observe.DEFAULT.interval();
  private static final Duration MEASURED = Duration.ofMinutes(1);
  private static final Duration SETTLED = Duration.ofSeconds(10);

  private final Database database;
  private final DatabaseClock clock;
  private final ProcessorTime processors;
  private final Registry registry;
  private final AtomicInteger ids = new AtomicInteger();
  private final int resources;

  private ObservedBenchmark(BenchDatabase postgres, int resources) {
    this.database = postgres.database();
    this.clock = new DatabaseClock(database, Threads.OF_MACHINE);
    this.processors = new ProcessorTime(postgres.process());
    this.resources = resources;
    WorkflowParser parser = new WorkflowParser(new Executors(List.of(new NoopExecutor())).types());
    this.registry = BenchProvider.registry(parser, List.of(Operation.values()));
  }

  /** Arguments: how many resources (10000). Exits with 1 above 5 % of a core. */
  public static void main(String[] arguments) throws Exception {
    int resources = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
    boolean cheap;
    try (BenchDatabase postgres = BenchDatabase.countingStatements()) {
      cheap = new ObservedBenchmark(postgres, resources).measure();
    }
    System.exit(cheap ? 0 : 1);
  }

  /** What a minute took: processors as shares of a core. */
  private record Minute(
      double core, double postgres, double statements, double wal, double looks) {}

  private boolean measure() throws InterruptedException {
    whileUp(Looks.OFF, this::deploy);
    List<Minute> off = new ArrayList<>();
    List<Minute> on = new ArrayList<>();
    whileUp(Looks.ON, store -> warmUp());
    for (int round = 0; round < ROUNDS; round++) {
      whileUp(Looks.OFF, store -> off.add(minute()));
      whileUp(Looks.ON, store -> on.add(minute()));
    }
    double added = median(on, Minute::core) - median(off, Minute::core);
    print("no looks", off);
    print("looks", on);
    double looks = median(on, Minute::looks);
    System.out.printf(
        Locale.ROOT,
        "%,d resources observed every %d s: %.1f %% of a core (goal 5 %%), %.2f ms, %.0f statements"
            + " and %.1f KB of log a look; %.0f looks a minute are due%n",
        resources,
        INTERVAL.toSeconds(),
        added * 100,
        added * MEASURED.toMillis() / looks,
        (median(on, Minute::statements) - median(off, Minute::statements)) / looks,
        (median(on, Minute::wal) - median(off, Minute::wal)) / looks / 1024,
        resources * MEASURED.toSeconds() / (INTERVAL.toSeconds() * 0.95));
    return added <= MOST_OF_A_CORE;
  }

  private static double median(List<Minute> minutes, ToDoubleFunction<Minute> value) {
    double[] sorted = minutes.stream().mapToDouble(value).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private static void print(String name, List<Minute> minutes) {
    System.out.printf(
        Locale.ROOT,
        "%-9s %6.2f %% of a core, %.2f %% of it PostgreSQL  %,9.0f statements/min"
            + "  %,9.0f KB of log/min  %,6.0f looks/min  (%s)%n",
        name,
        median(minutes, Minute::core) * 100,
        median(minutes, Minute::postgres) * 100,
        median(minutes, Minute::statements),
        median(minutes, Minute::wal) / 1024,
        median(minutes, Minute::looks),
        Arrays.toString(
            minutes.stream().mapToDouble(m -> Math.round(m.core() * 1000) / 10.0).toArray()));
  }

  private enum Looks {
    ON,
    OFF
  }

  private void whileUp(Looks looks, RunLoad.Visitor visitor) throws InterruptedException {
    new RunLoad(database, clock, List.of(new NoopExecutor()), RunBenchmark.TWO_STEPS)
        .whileUp(store -> reconciling(looks, store, visitor));
  }

  private void reconciling(Looks looks, PostgresRuns store, RunLoad.Visitor visitor)
      throws InterruptedException {
    try (Notifications notifications = new Notifications(database)) {
      ApplicationContext context = context(notifications);
      List<Reconciler> reconcilers = new ArrayList<>();
      reconcilers.add(new ApplicationReconciler(context, store));
      if (looks == Looks.ON) {
        reconcilers.add(new ResourceObserver(context));
      }
      try (ReconcileLoop loop =
          new ReconcileLoop(
              new ReconcileLoop.Parts(
                  database.jdbi(),
                  notifications,
                  clock,
                  AdminConfig.DEFAULT.engine().pollInterval(),
                  Threads.OF_MACHINE),
              reconcilers)) {
        loop.start();
        visitor.visit(store);
      }
    }
  }

  private ApplicationContext context(Notifications notifications) {
    return new ApplicationContext(
        database.jdbi(),
        () -> registry,
        () -> AdminConfig.DEFAULT,
        new SecretBox(new byte[32]),
        notifications,
        clock,
        () -> TimeOrdered.id(clock.instant(), ids.incrementAndGet()),
        ApplicationContext.Failures.NONE);
  }

  /** Applications of a hundred resources each, all of them looked at already. */
  private void deploy(PostgresRuns store) throws InterruptedException {
    try (Notifications notifications = new Notifications(database)) {
      ApplicationStore applications = new ApplicationStore(context(notifications), store);
      for (int i = 0; i < resources; i += OF_AN_APPLICATION) {
        applications.deploy(
            BenchScore.CALLER,
            BenchScore.request(
                BenchScore.document(
                    "shop" + i,
                    BenchScore.Shape.LAYERS,
                    Math.min(OF_AN_APPLICATION, resources - i))));
      }
    }
    while (number("SELECT count(*) FROM deployments WHERE status <> 'completed'") > 0) {
      Thread.sleep(100);
    }
  }

  /** Looks at everything within a minute, so that the JVM has compiled what it takes. */
  private void warmUp() throws InterruptedException {
    spread(MEASURED);
    Thread.sleep(MEASURED.plus(SETTLED).toMillis());
  }

  /** The looks of the next interval begin at any time in it. */
  private void spread(Duration interval) {
    database
        .jdbi()
        .useTransaction(
            h -> {
              h.createUpdate(
                      "UPDATE looks SET asked = NULL,"
                          + " due_at = now() + random() * :interval * interval '1 ms'")
                  .bind("interval", interval.toMillis())
                  .execute();
              h.execute(
                  "INSERT INTO signals (kind, key, item, at)"
                      + " SELECT DISTINCT 'look', shard::text, 'asked', now() FROM looks");
            });
  }

  private Minute minute() throws InterruptedException {
    spread(INTERVAL);
    Thread.sleep(SETTLED.toMillis());
    double statements = statements();
    double wal = wal();
    double looks = looks();
    ProcessorTime.Used before = processors.used();
    Thread.sleep(MEASURED.toMillis());
    ProcessorTime.Used used = processors.used().since(before);
    return new Minute(
        used.millis() / MEASURED.toMillis(),
        used.postgres() / MEASURED.toMillis(),
        statements() - statements,
        wal() - wal,
        looks() - looks);
  }

  private double wal() {
    return number("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')");
  }

  private double statements() {
    return number("SELECT coalesce(sum(calls), 0) FROM pg_stat_statements");
  }

  private double looks() {
    return number("SELECT n_tup_ins FROM pg_stat_user_tables WHERE relname = 'runs'");
  }

  private double number(String sql) {
    return database.jdbi().withHandle((Handle h) -> h.createQuery(sql).mapTo(Double.class).one());
  }
}
