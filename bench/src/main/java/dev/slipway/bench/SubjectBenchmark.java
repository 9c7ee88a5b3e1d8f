package dev.slipway.bench;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.threads.Threads;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.reconcile.Next;
import dev.slipway.postgres.reconcile.ReconcileLoop;
import dev.slipway.postgres.reconcile.Reconciler;
import dev.slipway.postgres.reconcile.Wake;
import dev.slipway.steps.NoopExecutor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jdbi.v3.core.Handle;

/**
 * Two-step runs per second whose begin and end are signalled to a reconciler: of 1,000 keys, of one
 * key, and of one key whose turn holds its lock for two seconds. Beside them, in turns: runs
 * without a subject.
 */
public final class SubjectBenchmark {
  private static final String KIND = "bench";
  private static final int ROUNDS = 3;

  private final Database database;
  private final DatabaseClock clock;
  private final int runs;

  private SubjectBenchmark(Database database, int runs) {
    this.database = database;
    this.clock = new DatabaseClock(database, Threads.OF_MACHINE);
    this.runs = runs;
  }

  /** Arguments: how many runs a round (4000). */
  public static void main(String[] arguments) throws Exception {
    int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 4_000;
    try (BenchDatabase postgres = new BenchDatabase()) {
      new SubjectBenchmark(postgres.database(), runs).measure();
    }
    System.exit(0);
  }

  /** How the subjects of a round are, and how long a turn of theirs takes. */
  private record Load(String name, int keys, Duration turn) {}

  private void measure() throws Exception {
    List<Load> loads =
        List.of(
            new Load("without a subject", 0, Duration.ZERO),
            new Load("of 1,000 keys", 1_000, Duration.ZERO),
            new Load("of one key", 1, Duration.ZERO),
            new Load("of one key that is held for 2 s", 1, Duration.ofSeconds(2)));
    perSecond(loads.getFirst(), new AtomicLong()); // warms up the JVM
    double[][] rates = new double[loads.size()][ROUNDS];
    List<AtomicLong> turns = new ArrayList<>();
    loads.forEach(load -> turns.add(new AtomicLong()));
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < loads.size(); i++) {
        rates[i][round] = perSecond(loads.get(i), turns.get(i));
      }
    }
    double plain = median(rates[0]);
    for (int i = 0; i < loads.size(); i++) {
      double rate = median(rates[i]);
      System.out.printf(
          Locale.ROOT,
          "two-step runs %-32s %,8.0f /s  %5.2f times  %,d turns%n",
          loads.get(i).name(),
          rate,
          rate / plain,
          turns.get(i).get() / ROUNDS);
    }
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private double perSecond(Load load, AtomicLong turns) throws InterruptedException {
    RunLoad of =
        new RunLoad(
            database,
            clock,
            List.of(new NoopExecutor()),
            RunBenchmark.TWO_STEPS,
            i -> load.keys() == 0 ? NewRun.Subject.NONE : subject(i % load.keys()));
    try (Notifications notifications = new Notifications(database);
        ReconcileLoop loop =
            new ReconcileLoop(
                    new ReconcileLoop.Parts(
                        database.jdbi(),
                        notifications,
                        clock,
                        Duration.ofMillis(200),
                        Threads.OF_MACHINE),
                    List.of(new Turn(load.turn(), turns)))
                .start()) {
      return of.perSecond(runs);
    }
  }

  private static NewRun.Subject subject(int key) {
    return new NewRun.Subject(
        null, null, null, new NewRun.Key(KIND, "key " + key, "item", "bench"));
  }

  /** A turn that takes so long. */
  private record Turn(Duration takes, AtomicLong turns) implements Reconciler {
    @Override
    public String kind() {
      return KIND;
    }

    @Override
    public int width() {
      return 4;
    }

    @Override
    public Next reconcile(Handle tx, String key, Wake wake) {
      turns.incrementAndGet();
      if (!takes.isZero()) {
        tx.execute("SELECT pg_sleep(?)", takes.toMillis() / 1e3);
      }
      return Next.DONE;
    }
  }
}
