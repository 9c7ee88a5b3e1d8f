package dev.slipway.engine.execute;

import dev.slipway.engine.graph.NodeRef;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.workflow.RenderingException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Claims runs and gives each a worker with a thread of its own. It tries to claim after a signal,
 * when the next timer is due, when a finished worker leaves room, and once a poll interval, because
 * a notification may be lost.
 */
public final class Dispatcher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Dispatcher.class);
  private static final Duration AFTER_FAULT = Duration.ofSeconds(1);
  private static final Duration LEAST_PATIENCE = Duration.ofSeconds(30);
  private static final Duration LAST_STEPS = Duration.ofSeconds(60);

  /** A due run that could not be claimed waits until the limit of all replicas has room. */
  private static final Duration NEXT_PLACE = Duration.ofMillis(250);

  /** A due run that could not be claimed waits until another transaction unlocks its row. */
  private static final Duration NEXT_LOCK = Duration.ofMillis(100);

  /** A claim is a transaction, too expensive for each single run that ends. */
  private static final Duration BETWEEN_SMALL_CLAIMS = Duration.ofMillis(250);

  /** How long a replica that lacked files of a provider lets other replicas claim first. */
  private static final Duration LACKING = Duration.ofMinutes(1);

  private final EngineContext context;
  private final EngineSettings settings;
  private final Permits permits;
  private final LogFlush logs;
  private final Map<UUID, Held> held = new ConcurrentHashMap<>();
  private final Map<UUID, Long> abandoned = new ConcurrentHashMap<>();
  private final AtomicInteger arriving = new AtomicInteger();
  private final Semaphore signal;
  private final ClaimHealth claims;
  private final EarlyClaims early;
  private final Heartbeat heartbeat;
  private final Thread thread;
  private Instant lastClaim = Instant.MIN;
  private volatile Instant lackedFiles = Instant.MIN;
  private volatile boolean wantsRoom;
  private volatile boolean bounded;
  private volatile boolean closing;

  /** A run that this replica has claimed, and its worker. */
  static final class Held {
    private final ClaimedRun run;
    private final RunWorker worker;
    private @Nullable Held successor;

    Held(ClaimedRun run, RunWorker worker) {
      this.run = run;
      this.worker = worker;
    }

    ClaimedRun run() {
      return run;
    }

    RunWorker worker() {
      return worker;
    }
  }

  /** Starts at once. */
  public Dispatcher(EngineContext context) {
    this.context = context;
    this.settings = context.settings();
    this.signal = context.threads().permits(0);
    this.claims = new ClaimHealth(patience(settings), System::nanoTime);
    this.permits = new Permits(settings, context.threads());
    this.logs = new LogFlush(context);
    this.early = new EarlyClaims(context, held::size, this::takeEarly);
    this.heartbeat = new Heartbeat(context, held, abandoned);
    this.thread = context.threads().attend("dispatcher", this::run);
  }

  /** Something may be claimable. */
  public void signal() {
    signal.release();
  }

  /** Something arrived for that run. */
  public void signal(UUID run) {
    if (held.containsKey(run)) {
      heartbeat.ask(run);
    } else {
      signal();
    }
  }

  /** Whether runs can be claimed. */
  public ClaimHealth claims() {
    return claims;
  }

  /** For transactions that make runs on this replica. */
  public EarlyClaims earlyClaims() {
    return early;
  }

  /** The longest time between two claims of a healthy replica, slow statements included. */
  private static Duration patience(EngineSettings settings) {
    Duration three = settings.pollInterval().multipliedBy(3);
    return three.compareTo(LEAST_PATIENCE) > 0 ? three : LEAST_PATIENCE;
  }

  /** How many runs are held now. */
  public int active() {
    return held.size();
  }

  /**
   * Stops: claims nothing more, stops every step and waits for it, gives the runs back. Another
   * replica, or this one after its restart, continues them. The lease of a run is renewed until its
   * steps have stopped, so that no other replica repeats a step that still executes.
   */
  @Override
  public void close() {
    closing = true;
    signal();
    join(thread);
    early.queueMayHold();
    heartbeat.stopping();
    held.values().forEach(h -> h.worker.lose());
    try {
      awaitWorkers();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    heartbeat.close();
    try {
      heartbeat.giveBackAbandoned();
    } catch (RuntimeException e) {
      LOG.warn("runs could not be given back, their leases expire: {}", e.getMessage());
    }
    logs.close();
  }

  /** Interrupted steps end quickly, but an unreachable database may hold up their workers. */
  private void awaitWorkers() throws InterruptedException {
    long limit = System.nanoTime() + LAST_STEPS.toNanos();
    while (!held.isEmpty() || arriving.get() > 0) {
      if (System.nanoTime() > limit) {
        LOG.warn("{} runs did not stop before the time limit", held.size());
        return;
      }
      signal.tryAcquire(1, TimeUnit.SECONDS);
    }
  }

  private void run() {
    while (!closing) {
      try {
        rest(look());
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException e) {
        LOG.warn("cannot claim runs, trying again: {}", e.getMessage());
        early.queueMayHold();
        claims.failed(e);
        restAfterFault();
      }
    }
  }

  /** Claims what it has room for; answers when the next run is due, unless it has no room. */
  private Optional<Instant> look() throws InterruptedException {
    claimAll();
    if (wantsRoom) {
      early.queueMayHold();
      claims.full();
      return Optional.empty();
    }
    Optional<Instant> due = context.store().nextDue(settings.owner());
    claims.succeeded();
    admitEarly(due);
    return due;
  }

  /** Due runs that were not claimed are older than new runs, which then wait behind them. */
  private void admitEarly(Optional<Instant> due) {
    Instant now = context.clock().instant();
    if (closing || lacking(now) || due.filter(d -> !d.isAfter(now)).isPresent()) {
      early.queueMayHold();
    } else {
      early.queueIsEmpty();
    }
  }

  /** On a thread of its own: the caller has just committed and answers a request. */
  private void takeEarly(EarlyClaims.Arrival arrival) {
    arriving.incrementAndGet();
    context.threads().start("early claims", () -> employ(arrival));
  }

  private void employ(EarlyClaims.Arrival arrival) {
    try {
      read(arrival)
          .ifPresentOrElse(
              runs -> employ(runs, arrival.room().leaseUntil()),
              () -> arrival.ids().forEach(run -> abandoned.put(run, EarlyClaims.EPOCH)));
    } catch (RuntimeException e) {
      // Those without a worker are given back by the heartbeat when their lease has ended.
      LOG.warn("not all new runs could be taken up: {}", e.getMessage());
    } finally {
      arrival.room().release();
      arriving.decrementAndGet();
    }
  }

  private Optional<List<ClaimedRun>> read(EarlyClaims.Arrival arrival) {
    if (closing) {
      return Optional.empty();
    }
    try {
      return Optional.of(arrival.runs().get());
    } catch (RuntimeException e) {
      LOG.warn("new runs cannot be read, they are given back: {}", e.getMessage());
      return Optional.empty();
    }
  }

  private void claimAll() throws InterruptedException {
    while (!closing) {
      int room = room();
      if (wantsRoom) {
        return;
      }
      int others = context.store().others();
      letOthersGoFirst(others);
      int most = ClaimFairness.atMost(room, held.size(), others);
      Instant now = context.clock().instant();
      lastClaim = now;
      RunStore.Bounds bounds = context.bounds().get();
      List<ClaimedRun> claimed =
          context.store().claim(settings.owner(), most, now, settings.lease(), bounds);
      bounded = bounds.atOnce().isPresent();
      employ(claimed, now.plus(settings.lease()));
      if (claimed.size() < most) {
        return;
      }
    }
  }

  /**
   * How many runs may be claimed now. Sets {@code wantsRoom} before it counts, so that a worker
   * that ends meanwhile signals.
   */
  private int room() {
    wantsRoom = true;
    int room = Math.min(settings.runs() - held.size() - early.reserved(), settings.batch());
    Instant now = context.clock().instant();
    // A last claim that lies ahead was made before the clock went back.
    boolean soon = !now.isBefore(lastClaim) && now.isBefore(lastClaim.plus(BETWEEN_SMALL_CLAIMS));
    wantsRoom = room < 1 || room < worthwhile() && soon;
    return room;
  }

  /** Sleeps by the system's clock: the delay of a notification does not follow the injected one. */
  private void letOthersGoFirst(int others) throws InterruptedException {
    Thread.sleep(
        lacking(context.clock().instant())
            ? ClaimFairness.pauseOfOneThatLacks(others)
            : ClaimFairness.pause(held.size(), others));
  }

  private boolean lacking(Instant now) {
    return !now.isBefore(lackedFiles) && now.isBefore(lackedFiles.plus(LACKING));
  }

  /** Runs that an Error left without a worker are given back when the replica stops after it. */
  private void employ(List<ClaimedRun> claimed, Instant leaseUntil) {
    int employed = 0;
    try {
      for (ClaimedRun run : claimed) {
        employ(run, leaseUntil);
        employed++;
      }
    } catch (Error e) {
      claimed.subList(employed, claimed.size()).forEach(r -> abandoned.put(r.id(), r.epoch()));
      throw e;
    }
  }

  private void employ(ClaimedRun run, Instant leaseUntil) {
    try {
      Definitions.Parsed definition = context.definitions().of(run.definitionHash());
      Held mine = new Held(run, worker(run, definition));
      mine.worker.leased(leaseUntil);
      if (held.compute(run.id(), (id, before) -> inLine(before, mine)) == mine) {
        if (closing) {
          mine.worker.lose(); // an early claim may arrive after close() has stopped all workers
        }
        start(mine);
      }
    } catch (UnusableRunException e) {
      LOG.error("run {} cannot be taken up: {}", run.id(), e.getMessage());
      context.store().write(FailureWrite.of(run, e.error(), context.clock().instant()));
      context.metrics().runEnded(run, RunState.FAILED, Duration.ZERO, e.error());
    } catch (RuntimeException e) {
      LOG.warn("the definition of run {} cannot be read now: {}", run.id(), e.getMessage());
      abandoned.put(run.id(), run.epoch());
    }
  }

  /**
   * This replica may claim a run again before its former worker has ended: while the reply to its
   * last write is under way, or its steps have not stopped yet. The new worker starts when the
   * former one has ended.
   */
  private static Held inLine(@Nullable Held before, Held next) {
    if (before == null) {
      return next;
    }
    before.worker.lose();
    before.successor = next;
    return before;
  }

  /** While this replica stops no worker starts: the run is given back like all other runs. */
  private @Nullable Held successorOf(Held leaving) {
    Held next = leaving.successor;
    if (next != null && closing) {
      abandoned.put(next.run.id(), next.run.epoch());
      return null;
    }
    return next;
  }

  private void start(Held next) {
    context.threads().start("run " + next.run.id(), () -> work(next));
  }

  private RunWorker worker(ClaimedRun run, Definitions.Parsed definition) {
    try {
      return new RunWorker(new LiveRun(context, run, definition), permits, logs);
    } catch (RenderingException e) {
      throw new UnusableRunException(
          StepError.permanent("template", String.valueOf(e.getMessage()), e.hint().orElse(null)));
    } catch (RuntimeException | StackOverflowError e) {
      // Also a stack that was too small: otherwise one run would end each replica that claims it.
      throw new UnusableRunException(StepError.permanent("internal", String.valueOf(e), null));
    }
  }

  private void work(Held mine) {
    RunWorker.Exit exit = RunWorker.Exit.ABANDONED;
    MDC.put("run_id", mine.run.id().toString());
    NodeRef root = mine.run.subject().rootRef();
    if (root != null) {
      MDC.put("root", root.text());
    }
    try {
      if (hasFiles(mine)) {
        exit = mine.worker.work();
      }
    } catch (InterruptedException e) {
      LOG.warn("the worker of run {} was interrupted", mine.run.id());
    } catch (RuntimeException | Error e) {
      // Given back: the failure may not occur on another replica, or later.
      LOG.error("the worker of run {} failed", mine.run.id(), e);
    } finally {
      if (exit == RunWorker.Exit.LOST || exit == RunWorker.Exit.ABANDONED) {
        abandoned.put(mine.run.id(), mine.run.epoch());
      }
      Held next = held.computeIfPresent(mine.run.id(), (id, leaving) -> successorOf(mine));
      if (next != null) {
        start(next);
      }
      MDC.remove("run_id");
      MDC.remove("root");
      boolean room = wantsRoom && settings.runs() - held.size() >= worthwhile();
      if (room || closing || bounded || exit == RunWorker.Exit.WAITS) {
        signal();
      }
    }
  }

  /** A run without its provider's files is given back; a cancelled run needs no files. */
  private boolean hasFiles(Held mine) {
    try {
      if (mine.run.cancel().isEmpty()) {
        context.files().ensure(context.definitions().of(mine.run.definitionHash()).snapshot());
      }
      return true;
    } catch (RuntimeException e) {
      LOG.warn("run {} has to wait for its provider's files: {}", mine.run.id(), e.getMessage());
      lackedFiles = context.clock().instant();
      early.queueMayHold();
      return false;
    }
  }

  private int worthwhile() {
    return Math.max(1, Math.min(settings.batch(), settings.runs() / 2));
  }

  /** Waits for a signal, at most until the next timer or the next look of its own. */
  private void rest(Optional<Instant> due) throws InterruptedException {
    Instant now = context.clock().instant();
    if (due.filter(d -> !d.isAfter(now)).isPresent()) {
      restFor(bounded ? NEXT_PLACE : NEXT_LOCK);
      return;
    }
    Instant look = now.plus(wantsRoom ? BETWEEN_SMALL_CLAIMS : settings.pollInterval());
    Alarms.Alarm alarm =
        context.alarms().at(due.filter(d -> d.isBefore(look)).orElse(look), this::signal);
    try {
      signal.acquire();
      signal.drainPermits();
    } finally {
      alarm.cancel();
    }
  }

  /** Waits by the system's clock: only other transactions and replicas are waited for. */
  private void restFor(Duration pause) throws InterruptedException {
    if (signal.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS)) {
      signal.drainPermits();
    }
  }

  private void restAfterFault() {
    try {
      restFor(AFTER_FAULT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
