package dev.slipway.bench;

import dev.slipway.applications.store.ApplicationContext;
import dev.slipway.applications.store.ApplicationReconciler;
import dev.slipway.applications.store.ApplicationStore;
import dev.slipway.applications.store.ResourceObserver;
import dev.slipway.bench.BenchScore.Shape;
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
import dev.slipway.postgres.reconcile.Next;
import dev.slipway.postgres.reconcile.ReconcileLoop;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.reconcile.Wake;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.steps.NoopExecutor;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import org.jdbi.v3.core.Handle;

/**
 * Applications of 10 to 10,000 resources, from the request to the end of their deployment: what one
 * ended run costs must not grow with the application, by processor time. Beside them, up to 1,000
 * resources, the same with turns that look at everything.
 */
public final class ApplicationBenchmark {
  private static final List<Operation> ALL = List.of(Operation.values());
  private static final List<Operation> UNSEEN =
      List.of(Operation.CREATE, Operation.UPDATE, Operation.DELETE);

  /** A cost that grows with the size would be ten times as high. */
  private static final double ROOM = 2.5;

  private static final Duration STATISTICS = Duration.ofMillis(1_500);

  private final Database database;
  private final DatabaseClock clock;
  private final ProcessorTime processors;
  private final AtomicInteger ids = new AtomicInteger();
  private final AtomicInteger names = new AtomicInteger();

  private ApplicationBenchmark(BenchDatabase postgres) {
    this.database = postgres.database();
    this.clock = new DatabaseClock(database, Threads.OF_MACHINE);
    this.processors = new ProcessorTime(postgres.process());
  }

  /** Arguments: the largest application (10000). Exits with 1 when the cost is not linear. */
  public static void main(String[] arguments) throws Exception {
    int largest = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
    boolean linear;
    try (BenchDatabase postgres = new BenchDatabase()) {
      linear = new ApplicationBenchmark(postgres).measure(largest);
    }
    System.exit(linear ? 0 : 1);
  }

  private enum Turn {
    NEIGHBOURS,
    EVERYTHING
  }

  private record Load(Shape shape, int size, Turn turn, List<Operation> operations) {}

  private boolean measure(int largest) throws InterruptedException {
    run(new Load(Shape.LAYERS, 200, Turn.NEIGHBOURS, UNSEEN)); // warms up the JVM
    System.out.printf(
        "%-8s %9s %-11s %9s %9s %12s %12s %11s %8s%n",
        "shape",
        "resources",
        "turns see",
        "POST ms",
        "whole s",
        "ms a run",
        "cpu ms a run",
        "rows a run",
        "WAL KB");
    boolean linear = true;
    for (Shape shape : Shape.values()) {
      linear &= linear(shape, largest);
    }
    for (int size = 10; size <= Math.min(1_000, largest); size *= 10) {
      say(new Load(Shape.LAYERS, size, Turn.EVERYTHING, UNSEEN));
    }
    run(new Load(Shape.CHAIN, 10, Turn.NEIGHBOURS, ALL));
    Result unseen = run(new Load(Shape.CHAIN, 10, Turn.NEIGHBOURS, UNSEEN));
    Result seen = run(new Load(Shape.CHAIN, 10, Turn.NEIGHBOURS, ALL));
    System.out.printf(
        Locale.ROOT,
        "chain of ten: %.0f ms without read, %.0f ms with%n",
        unseen.whole() * 1e3,
        seen.whole() * 1e3);
    System.out.printf(
        Locale.ROOT,
        "run ended to first step of the dependent's run begun: %.1f ms (median of the chain)%n",
        unseen.hop());
    return linear;
  }

  /** Each application costs ten times what one of a tenth of its size costs, with some room. */
  private boolean linear(Shape shape, int largest) throws InterruptedException {
    boolean linear = true;
    double before = Double.MAX_VALUE;
    for (int size = 10; size <= largest; size *= 10) {
      double each = say(new Load(shape, size, Turn.NEIGHBOURS, UNSEEN)).processors() / size;
      if (each > before * ROOM) {
        linear = false;
        System.out.printf(
            Locale.ROOT,
            "NOT LINEAR: an ended run of a %s of %,d resources costs %.1f times one of %,d%n",
            shape.name().toLowerCase(Locale.ROOT),
            size,
            each / before,
            size / 10);
      }
      before = each;
    }
    return linear;
  }

  private record Result(
      double post, double whole, double processors, double rows, double wal, double hop) {}

  private Result say(Load load) throws InterruptedException {
    Result result = run(load);
    System.out.printf(
        Locale.ROOT,
        "%-8s %,9d %-11s %,9.0f %9.1f %12.2f %12.2f %,11.0f %8.1f%n",
        load.shape().name().toLowerCase(Locale.ROOT),
        load.size(),
        load.turn().name().toLowerCase(Locale.ROOT),
        result.post(),
        result.whole(),
        result.whole() * 1e3 / load.size(),
        result.processors() / load.size(),
        result.rows() / load.size(),
        result.wal() / load.size() / 1024);
    return result;
  }

  private Result run(Load load) throws InterruptedException {
    Result[] result = new Result[1];
    new RunLoad(database, clock, List.of(new NoopExecutor()), RunBenchmark.TWO_STEPS)
        .whileUp(store -> result[0] = deployed(load, store));
    return result[0];
  }

  private Result deployed(Load load, PostgresRuns store) throws InterruptedException {
    WorkflowParser parser = new WorkflowParser(new Executors(List.of(new NoopExecutor())).types());
    Registry registry = BenchProvider.registry(parser, load.operations());
    String name = "shop" + names.incrementAndGet();
    try (Notifications notifications = new Notifications(database)) {
      ApplicationContext context =
          new ApplicationContext(
              database.jdbi(),
              () -> registry,
              () -> AdminConfig.DEFAULT,
              new SecretBox(new byte[32]),
              notifications,
              clock,
              () -> TimeOrdered.id(clock.instant(), ids.incrementAndGet()),
              ApplicationContext.Failures.NONE);
      Reconciler reconciler = new ApplicationReconciler(context, store);
      try (ReconcileLoop loop =
          new ReconcileLoop(
              new ReconcileLoop.Parts(
                  database.jdbi(),
                  notifications,
                  clock,
                  Duration.ofMillis(200),
                  Threads.OF_MACHINE),
              List.of(
                  load.turn() == Turn.NEIGHBOURS ? reconciler : new Everything(reconciler),
                  new ResourceObserver(context)))) {
        loop.start();
        Counters before = counters();
        ProcessorTime.Used used = processors.used();
        long began = System.nanoTime();
        new ApplicationStore(context, store)
            .deploy(
                BenchScore.CALLER,
                BenchScore.request(BenchScore.document(name, load.shape(), load.size())));
        double post = (System.nanoTime() - began) / 1e6;
        await(name);
        double whole = (System.nanoTime() - began) / 1e9;
        double worked = processors.used().since(used).millis();
        Thread.sleep(STATISTICS.toMillis());
        Counters after = counters();
        return new Result(
            post,
            whole,
            worked,
            after.rows() - before.rows(),
            after.wal() - before.wal(),
            hop(name));
      }
    }
  }

  private void await(String name) throws InterruptedException {
    while (!database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery(
                        "SELECT d.status FROM deployments d"
                            + " JOIN applications a ON a.id = d.application_id WHERE a.name = ?")
                    .bind(0, name)
                    .mapTo(String.class)
                    .one())
        .equals("completed")) {
      Thread.sleep(5);
    }
  }

  /** Milliseconds from the end of a run to the begin of the next one; of a chain. */
  private double hop(String name) {
    return database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery(
                        """
                        SELECT coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY pause), 0)
                          FROM (SELECT extract(epoch FROM started_at - lag(finished_at)
                                         OVER (ORDER BY created_at, id)) * 1000 AS pause
                                  FROM runs WHERE application = ? AND operation = 'create') AS hops
                        """)
                    .bind(0, name)
                    .mapTo(Double.class)
                    .one());
  }

  private record Counters(double rows, double wal) {}

  private Counters counters() {
    return database
        .jdbi()
        .withHandle(
            h ->
                h.createQuery(
                        "SELECT tup_returned + tup_fetched,"
                            + " pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')"
                            + " FROM pg_stat_database WHERE datname = current_database()")
                    .map((rs, c) -> new Counters(rs.getDouble(1), rs.getDouble(2)))
                    .one());
  }

  /** Turns as they were: each looks at everything. */
  private record Everything(Reconciler reconciler) implements Reconciler {
    @Override
    public String kind() {
      return reconciler.kind();
    }

    @Override
    public int width() {
      return reconciler.width();
    }

    @Override
    public Next reconcile(Handle tx, String key, Wake wake) throws SQLException {
      return reconciler.reconcile(tx, key, new Wake.Everything(wake.runs()));
    }
  }
}
