package dev.slipway.bench;

import dev.slipway.engine.execute.Alarms;
import dev.slipway.engine.execute.ClaimedRun;
import dev.slipway.engine.execute.Definitions;
import dev.slipway.engine.execute.Dispatcher;
import dev.slipway.engine.execute.EngineSettings;
import dev.slipway.engine.execute.Executors;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunMetrics;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.StepCall;
import dev.slipway.engine.execute.StepError;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.execute.Workshop;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.resolve.Grants;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.StepType;
import dev.slipway.engine.workflow.WorkflowParser;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.postgres.embedded.EmbeddedServer;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.postgres.runs.PostgresStepLogs;
import dev.slipway.steps.NoopExecutor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import org.jspecify.annotations.Nullable;

/**
 * Durable runs of two steps that do nothing: per second, and transitions per second. Beside them,
 * in the same minute on the same PostgreSQL: transactions per second that write one transition
 * each.
 */
public final class RunBenchmark {
  /** Of the run: claimed, ended. Of each step: started, ended. */
  private static final int TRANSITIONS_PER_RUN = 6;

  private static final String WORKFLOW =
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
  private final Executors executors = new Executors(List.of(new NoopExecutor()));

  private RunBenchmark(Database database, ProcessHandle postgres) {
    this.database = database;
    this.cpu = new ProcessorTime(postgres);
    this.clock = new DatabaseClock(database);
  }

  /** Arguments: how many runs (10000). */
  public static void main(String[] arguments) throws Exception {
    int runs = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 10_000;
    Path directory = Files.createTempDirectory("slipway-bench");
    try (EmbeddedServer server = EmbeddedServer.start(directory, OptionalInt.empty());
        Database database = Database.open(server.address(), 10)) {
      new RunBenchmark(database, server.process()).measure(runs);
    } finally {
      remove(directory);
    }
    System.exit(0);
  }

  private void measure(int runs) throws Exception {
    run(Math.min(runs, 3000)); // warms up the JVM
    double ceiling = OneTransactionEach.perSecond(database, Duration.ofSeconds(5));
    ProcessorTime.Used before = cpu.used();
    double perSecond = run(runs);
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
    say("made to first step begun, p50   %8.1f ms", latency[latency.length / 2] / 1e6);
    say("made to first step begun, p99   %8.1f ms", latency[latency.length * 99 / 100] / 1e6);
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
    RunStore.Owner owner = new RunStore.Owner("latency", UUID.randomUUID().toString());
    long[] nanos = new long[count];
    try (Alarms alarms = new Alarms(clock);
        Notifications notifications = new Notifications(database);
        PostgresRuns store = new PostgresRuns(database, notifications);
        Dispatcher dispatcher =
            new Dispatcher(
                workshop(
                    store,
                    owner,
                    alarms,
                    new CountDownLatch(count),
                    new Executors(List.of(first))))) {
      notifications.subscribe(Topic.RUNS, run -> dispatcher.signal());
      for (int i = 0; i < count; i++) {
        List<NewRun> one = runs(1);
        long start = System.nanoTime();
        store.insert(one);
        nanos[i] = begun.take() - start;
      }
    }
    Arrays.sort(nanos);
    return nanos;
  }

  private static void say(String format, double number) {
    System.out.printf(Locale.ROOT, format + "%n", number);
  }

  private double run(int count) throws InterruptedException {
    CountDownLatch ended = new CountDownLatch(count);
    RunStore.Owner owner = new RunStore.Owner("bench", UUID.randomUUID().toString());
    try (Alarms alarms = new Alarms(clock);
        Notifications notifications = new Notifications(database);
        PostgresRuns store = new PostgresRuns(database, notifications)) {
      List<NewRun> runs = runs(count);
      for (int i = 0; i < count; i += 500) {
        store.insert(runs.subList(i, Math.min(count, i + 500)));
      }
      long start = System.nanoTime();
      try (Dispatcher dispatcher =
          new Dispatcher(workshop(store, owner, alarms, ended, executors))) {
        notifications.subscribe(Topic.RUNS, run -> dispatcher.signal());
        ended.await();
        return count / ((System.nanoTime() - start) / 1e9);
      }
    }
  }

  private Workshop workshop(
      PostgresRuns store,
      RunStore.Owner owner,
      Alarms alarms,
      CountDownLatch ended,
      Executors used) {
    return new Workshop(
        EngineSettings.of(owner),
        store,
        new Definitions(store, new WorkflowParser(executors.types())),
        new Rendering(executors.types()),
        used,
        new SecretBox(new byte[32]),
        new PostgresStepLogs(database.jdbi()),
        provider -> Grants.NONE,
        clock,
        alarms,
        new Random(),
        new Counting(ended));
  }

  private List<NewRun> runs(int count) {
    Diagnostics diagnostics = new Diagnostics();
    Resolution.Definition definition =
        Document.parse("nothing.yaml", WORKFLOW, Limits.PROVIDER, diagnostics)
            .flatMap(d -> new WorkflowParser(executors.types()).parse(d, diagnostics))
            .map(
                w ->
                    new Resolution.Definition(
                        "bench", "1.0.0", null, "hash", null, Map.of(), w, WORKFLOW))
            .orElseThrow(() -> new IllegalStateException(diagnostics.toString()));
    List<NewRun> runs = new ArrayList<>();
    Instant now = clock.instant();
    for (int i = 0; i < count; i++) {
      runs.add(
          new NewRun(
              TimeOrdered.id(now, i),
              NewRun.Kind.PLATFORM,
              definition,
              null,
              NewRun.Subject.NONE,
              "default",
              "team",
              null,
              new NewRun.Inputs(
                  Map.of("size", 3L, "name", "shop"), Map.of("run", "bench"), Map.of()),
              List.of(),
              "bench",
              now,
              Duration.ofMinutes(30)));
    }
    return runs;
  }

  private record Counting(CountDownLatch ended) implements RunMetrics {
    @Override
    public void runEnded(ClaimedRun run, RunState state, Duration took, @Nullable StepError error) {
      if (state != RunState.SUCCEEDED) {
        throw new IllegalStateException("a run ended " + state + ": " + error);
      }
      ended.countDown();
    }

    @Override
    public void stepEnded(String type, StepState state, Duration took) {}

    @Override
    public void started(Duration latency) {}

    @Override
    public void leasesLost(int count) {
      System.out.println("leases lost: " + count);
    }

    @Override
    public void fencedWrite() {
      System.out.println("a fenced write");
    }
  }

  private static void remove(Path directory) throws IOException {
    try (var all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
