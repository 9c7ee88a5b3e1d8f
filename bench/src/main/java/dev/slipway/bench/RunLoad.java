package dev.slipway.bench;

import dev.slipway.engine.execute.Alarms;
import dev.slipway.engine.execute.Definitions;
import dev.slipway.engine.execute.Dispatcher;
import dev.slipway.engine.execute.EngineContext;
import dev.slipway.engine.execute.EngineSettings;
import dev.slipway.engine.execute.Executors;
import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.ProviderFiles;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.StepExecutor;
import dev.slipway.engine.intake.Diagnostics;
import dev.slipway.engine.intake.Document;
import dev.slipway.engine.intake.Limits;
import dev.slipway.engine.resolve.ProviderRules;
import dev.slipway.engine.resolve.Resolution;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.Rendering;
import dev.slipway.engine.workflow.WorkflowParser;
import dev.slipway.postgres.Database;
import dev.slipway.postgres.DatabaseClock;
import dev.slipway.postgres.events.Notifications;
import dev.slipway.postgres.events.Topic;
import dev.slipway.postgres.runs.PostgresRuns;
import dev.slipway.postgres.runs.PostgresStepLogs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.function.IntFunction;

/** Durable runs of one workflow, worked off by an engine of their own. */
final class RunLoad {
  private static final int INSERTED_AT_ONCE = 500;

  private final Database database;
  private final DatabaseClock clock;
  private final Executors executors;
  private final Resolution.Definition definition;
  private final IntFunction<NewRun.Subject> subjects;

  RunLoad(
      Database database, DatabaseClock clock, List<StepExecutor> executors, String workflowText) {
    this(database, clock, executors, workflowText, i -> NewRun.Subject.NONE);
  }

  /** The same with a subject for each run. */
  RunLoad(
      Database database,
      DatabaseClock clock,
      List<StepExecutor> executors,
      String workflowText,
      IntFunction<NewRun.Subject> subjects) {
    this.subjects = subjects;
    this.database = database;
    this.clock = clock;
    this.executors = new Executors(executors);
    this.definition = definition(workflowText);
  }

  /** Takes part in what happens while the engine is up. */
  interface Visitor {
    void visit(PostgresRuns store) throws InterruptedException;
  }

  /** Stores so many runs, then lets an engine work them off; runs per second. */
  double perSecond(int count) throws InterruptedException {
    return perSecond(count, () -> {});
  }

  /** The same; {@code ended} is called whenever a run ends. */
  double perSecond(int count, Runnable ended) throws InterruptedException {
    CountDownLatch left = new CountDownLatch(count);
    try (Alarms alarms = new Alarms(clock);
        Notifications notifications = new Notifications(database);
        PostgresRuns store =
            new PostgresRuns(database, notifications, new SecretBox(new byte[32]))) {
      insert(store, count);
      long start = System.nanoTime();
      try (Dispatcher dispatcher =
          new Dispatcher(
              engineContext(
                  store,
                  alarms,
                  () -> {
                    ended.run();
                    left.countDown();
                  }))) {
        notifications.subscribe(Topic.RUNS, run -> dispatcher.signal());
        left.await();
        return count / ((System.nanoTime() - start) / 1e9);
      }
    }
  }

  /** Lets an engine with nothing to do have so many runs, some at a time; waits for their ends. */
  void arriving(int count, int atOnce) throws InterruptedException {
    Semaphore ended = new Semaphore(0);
    whileUp(
        store -> {
          for (int i = 0; i < count; i += atOnce) {
            store.insert(runs(atOnce));
            ended.acquire(atOnce);
          }
        },
        ended::release);
  }

  /** Starts an engine with nothing to do, lets {@code visitor} give it work, and stops it. */
  void whileUp(Visitor visitor) throws InterruptedException {
    whileUp(visitor, () -> {});
  }

  private void whileUp(Visitor visitor, Runnable ended) throws InterruptedException {
    try (Alarms alarms = new Alarms(clock);
        Notifications notifications = new Notifications(database);
        PostgresRuns store =
            new PostgresRuns(database, notifications, new SecretBox(new byte[32]));
        Dispatcher dispatcher = new Dispatcher(engineContext(store, alarms, ended))) {
      notifications.subscribe(Topic.RUNS, run -> dispatcher.signal());
      store.claimEarly(dispatcher.earlyClaims());
      visitor.visit(store);
    }
  }

  private void insert(PostgresRuns store, int count) {
    List<NewRun> runs = runs(count);
    for (int i = 0; i < count; i += INSERTED_AT_ONCE) {
      store.insert(runs.subList(i, Math.min(count, i + INSERTED_AT_ONCE)));
    }
  }

  private EngineContext engineContext(PostgresRuns store, Alarms alarms, Runnable ended) {
    return new EngineContext(
        EngineSettings.of(new RunStore.Owner("bench", UUID.randomUUID().toString())),
        store,
        new Definitions(store, new WorkflowParser(executors.types())),
        new Rendering(executors.types()),
        executors,
        new SecretBox(new byte[32]),
        new PostgresStepLogs(database.jdbi()),
        ProviderRules::none,
        () -> RunStore.Bounds.NONE,
        clock,
        alarms,
        new Random(),
        new EndedRuns(ended),
        ProviderFiles.LOCAL,
        Threads.OF_MACHINE);
  }

  private Resolution.Definition definition(String text) {
    Diagnostics diagnostics = new Diagnostics();
    return Document.parse("bench.yaml", text, Limits.PROVIDER, diagnostics)
        .flatMap(d -> new WorkflowParser(executors.types()).parse(d, diagnostics))
        .map(
            w ->
                new Resolution.Definition(
                    "bench", "1.0.0", null, "", null, Map.of(), w, text, Map.of()))
        .orElseThrow(() -> new IllegalStateException(diagnostics.all().toString()));
  }

  /** So many new runs, not stored yet. */
  List<NewRun> runs(int count) {
    List<NewRun> runs = new ArrayList<>();
    Instant now = clock.instant();
    for (int i = 0; i < count; i++) {
      runs.add(
          new NewRun(
              TimeOrdered.id(now, i),
              NewRun.Kind.PLATFORM,
              definition,
              null,
              subjects.apply(i),
              new NewRun.Tenancy("default", "team"),
              NewRun.Origin.NONE,
              new NewRun.Inputs(
                  Map.of("size", 3L, "name", "shop"), Map.of("run", "bench"), Map.of()),
              new NewRun.Creation("bench", now),
              Duration.ofMinutes(30)));
    }
    return runs;
  }
}
