package dev.slipway.server;

import dev.slipway.engine.resolve.AdminConfig;
import dev.slipway.engine.threads.Threads;
import dev.slipway.git.GitSources;
import dev.slipway.postgres.events.EventLog;
import dev.slipway.postgres.retention.Sweep;
import dev.slipway.postgres.retention.Sweeper;
import dev.slipway.postgres.runs.PinnedCommits;
import dev.slipway.postgres.runs.RecentRuns;
import dev.slipway.postgres.runs.Retention;
import dev.slipway.steps.Workspaces;
import dev.slipway.web.branch.Chore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forgets what is older than it is kept. */
final class Housekeeping implements AutoCloseable {
  /** How long events can be replayed. */
  static final Duration EVENTS_KEPT = Duration.ofDays(7);

  private static final Logger LOG = LoggerFactory.getLogger(Housekeeping.class);

  /** How often it looks. */
  static final Duration EVERY = Duration.ofMinutes(10);

  private static final int AT_ONCE = 5_000;
  private static final int RUNS_AT_ONCE = 500;
  private static final Duration BREATH = Duration.ofMillis(20);

  /** Rows that one transaction looks at, and how many such transactions follow each other. */
  static final int BATCH = 500;

  private static final int BATCHES = 200;

  /** How long files of a commit stay that nothing needs: a plan may be about to become a run. */
  private static final Duration FILES_KEPT = Duration.ofHours(1);

  /** How long the files of a finished run are kept for a retry. */
  private static final Duration WORKSPACES_KEPT = Duration.ofDays(1);

  private final EventLog events;
  private final GitSources git;
  private final PinnedCommits pinned;
  private final Workspaces workspaces;
  private final RecentRuns runs;
  private final Retention retention;
  private final Sweeper sweeper;
  private final List<Sweep> sweeps;
  private final List<Chore> chores;
  private final Supplier<AdminConfig> config;
  private final Duration every;
  private final InstantSource clock;
  private final Map<Chore, Instant> done = new HashMap<>();
  private final Thread thread;

  Housekeeping(
      EventLog events,
      GitSources git,
      PinnedCommits pinned,
      Workspaces workspaces,
      RecentRuns runs,
      Retention retention,
      Sweeper sweeper,
      List<Sweep> sweeps,
      List<Chore> chores,
      Supplier<AdminConfig> config,
      Duration every,
      InstantSource clock,
      Threads threads) {
    this.events = events;
    this.git = git;
    this.pinned = pinned;
    this.workspaces = workspaces;
    this.runs = runs;
    this.retention = retention;
    this.sweeper = sweeper;
    this.sweeps = List.copyOf(sweeps);
    this.chores = List.copyOf(chores);
    this.config = config;
    this.every = every;
    this.clock = clock;
    this.thread = threads.attend("housekeeping", this::work);
  }

  private void work() {
    try {
      prepareEvents();
      while (true) {
        Thread.sleep(every);
        prepareEvents();
        forget();
        forgetRuns();
        sweep();
        doChores();
        tidy();
        clearWorkspaces();
      }
    } catch (InterruptedException e) {
      LOG.debug("housekeeping stopped");
    }
  }

  private void prepareEvents() {
    try {
      events.prepare(clock.instant());
    } catch (RuntimeException e) {
      LOG.warn(
          "partitions for the events of the coming days could not be created, trying again: {}",
          e.getMessage());
    }
  }

  private void forget() {
    try {
      while (events.forget(clock.instant().minus(EVENTS_KEPT), AT_ONCE) == AT_ONCE) {
        Thread.onSpinWait();
      }
    } catch (RuntimeException e) {
      LOG.warn("old events could not be removed, trying again later: {}", e.getMessage());
    }
  }

  /** Pauses between two batches, so that other transactions get the database first. */
  private void forgetRuns() throws InterruptedException {
    try {
      Instant before = clock.instant().minus(config.get().engine().retention());
      Optional<Retention.Pass> pass = retention.next(Retention.Pass.START, before, RUNS_AT_ONCE);
      while (pass.isPresent()) {
        Thread.sleep(BREATH);
        pass = retention.next(pass.get(), before, RUNS_AT_ONCE);
      }
      retention.removeDefinitions(before, clock.instant());
    } catch (RuntimeException e) {
      LOG.warn("old runs could not be removed, trying again later: {}", e.getMessage());
    }
  }

  /** So many batches of each walk: the rest of a long table waits for the next time. */
  private void sweep() throws InterruptedException {
    for (Sweep sweep : sweeps) {
      try {
        int batches = 0;
        while (batches++ < BATCHES
            && sweeper.next(sweep, config.get().retention(), clock.instant())
                instanceof Sweeper.Step.Removed) {
          Thread.sleep(BREATH);
        }
      } catch (RuntimeException e) {
        LOG.warn(
            "old rows of {} could not be removed, trying again later: {}",
            sweep.name(),
            e.getMessage());
      }
    }
  }

  /** Of branches, each in its own interval. */
  private void doChores() throws InterruptedException {
    for (Chore chore : chores) {
      if (clock.instant().isBefore(done.getOrDefault(chore, Instant.EPOCH).plus(chore.every()))) {
        continue;
      }
      try {
        Chore.Piece piece = chore.pass().begin();
        while (piece.next()) {
          Thread.sleep(BREATH);
        }
        done.put(chore, clock.instant());
      } catch (RuntimeException e) {
        LOG.warn("{}, trying again later: {}", chore.what(), e.getMessage());
      }
    }
  }

  private void tidy() {
    try {
      git.tidy(pinned.now(), pinned.later(), clock.instant().minus(FILES_KEPT));
    } catch (RuntimeException e) {
      LOG.warn(
          "old files of providers could not be removed, trying again later: {}", e.getMessage());
    }
  }

  private void clearWorkspaces() {
    try {
      workspaces.tidy(there -> runs.among(there, clock.instant().minus(WORKSPACES_KEPT)));
    } catch (RuntimeException e) {
      LOG.warn("old workspaces could not be removed, trying again later: {}", e.getMessage());
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
