package dev.slipway.engine.execute;

import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.execute.StepLaunch.Errand;
import dev.slipway.engine.execute.StepLaunch.Stop;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.workflow.RenderingException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes one claimed run until it ends or every open step waits. The worker has a thread of its
 * own; step ends, permits, timers and signals reach it through one mailbox. It writes each decision
 * before it acts on it. When a write is fenced, another replica owns the run and the worker stops.
 */
final class RunWorker {
  private static final Logger LOG = LoggerFactory.getLogger(RunWorker.class);

  /** Why the worker ended. */
  enum Exit {
    /** The run has ended. */
    ENDED,
    /** Every open step waits: the run was given back until a timer or signal. */
    WAITS,
    /** Another replica owns the run. */
    LOST,
    /** The worker failed; this replica still owns the run and gives it back. */
    ABANDONED
  }

  private sealed interface Message {
    record StepEnded(StepLaunch.Ended ended) implements Message {}

    record PermitTaken(String step, Permits.Permit permit) implements Message {}

    record TimeToLook() implements Message {}

    record Signal(Optional<RunStore.Cancel> cancel, int signals) implements Message {}

    record Lost() implements Message {}
  }

  private final LiveRun live;
  private final StepCalls calls;
  private final StepEnds ends;
  private final RunTimers timers;
  private final RunWriter writer;
  private final PermitQueue queue;
  private final Launches launches;
  private final ChildRuns children;
  private final RollbackRun rollback;
  private final AwaitedRuns made;

  private final BlockingQueue<Message> mailbox;
  private volatile Instant leaseUntil = Instant.MIN;

  RunWorker(LiveRun live, Permits permits, LogFlush logs) {
    this.live = live;
    this.mailbox = live.context.threads().mailbox();
    this.calls = new StepCalls(live);
    this.ends = new StepEnds(live);
    this.timers = new RunTimers(live, () -> mailbox.add(new Message.TimeToLook()));
    this.writer = new RunWriter(live, ends, timers);
    this.children = new ChildRuns(live, ends);
    this.rollback = new RollbackRun(live, ends);
    this.made = new AwaitedRuns(live, children, rollback);
    this.launches =
        new Launches(
            live,
            calls,
            timers,
            permits,
            logs,
            this::checkLease,
            ended -> mailbox.add(new Message.StepEnded(ended)));
    this.queue =
        new PermitQueue(
            live.context.threads(),
            (step, permit) -> mailbox.add(new Message.PermitTaken(step, permit)));
  }

  // ---------------------------------------------------------------- called from other threads

  /** No other replica can claim the run before that time. */
  synchronized void leased(Instant until) {
    leaseUntil = until;
  }

  /**
   * Shortens a lease that lasts longer than a new one would: it was granted before the clock went
   * back. Other replicas claim such a run only after two leases, which is later.
   */
  synchronized void leasedAtMost(Instant until) {
    if (leaseUntil.isAfter(until)) {
      leaseUntil = until;
    }
  }

  Instant leaseUntil() {
    return leaseUntil;
  }

  /** The lease was prolonged; this is what arrived for the run by then. */
  void held(RunStore.Held held) {
    mailbox.add(new Message.Signal(held.cancel(), held.signals()));
  }

  /** This replica no longer owns the run: interrupts its steps, and nothing more is written. */
  void lose() {
    launches.lose();
    mailbox.add(new Message.Lost());
  }

  /** Fails unless the lease still lasts, so that no other replica can own the run. */
  private void checkLease() throws InterruptedException {
    boolean lost = launches.lost();
    if (!lost && leaseUntil.isAfter(live.now())) {
      return;
    }
    if (!lost) {
      LOG.warn(
          "the lease of run {} ended before its step acted: the step did nothing", live.run.id());
      live.context.metrics().leasesLost(1);
    }
    lose();
    throw new InterruptedException("the lease of run " + live.run.id() + " has ended");
  }

  /**
   * Another replica may repeat these steps soon: interrupts those that still stop a second time.
   */
  void hurry() {
    launches.hurry();
  }

  boolean lost() {
    return launches.lost();
  }

  /** The write that gives the run back is under way, so a missing lease is expected. */
  boolean leaving() {
    return writer.givingBack();
  }

  // ---------------------------------------------------------------- its own thread

  Exit work() throws InterruptedException {
    try {
      made.look();
      wake(record -> true);
      while (true) {
        lookAtTimes();
        settle();
        Optional<RunState> end = live.progress().end();
        if (end.isPresent() && launches.none()) {
          return writer.ends(end.get()) ? Exit.ENDED : drain(Exit.LOST);
        }
        if (launches.idle() && queue.isEmpty()) {
          return writer.waits() ? Exit.WAITS : drain(Exit.LOST);
        }
        if (live.pending.dirty() && !writer.goesOn()) {
          return drain(Exit.LOST);
        }
        if (launches.lost() || !leaseUntil.isAfter(live.now())) {
          // The write took longer than the lease: the replica that owns the run now starts these
          // steps.
          return drain(Exit.LOST);
        }
        launches.start();
        listen();
        if (launches.lost()) {
          return drain(Exit.LOST);
        }
      }
    } catch (ExecutionException e) {
      LOG.error("run {} cannot go on", live.run.id(), e.getCause());
      Exit exit = drain(Exit.ABANDONED);
      return e.getCause() instanceof RefusedWriteException why && refused(why) ? Exit.ENDED : exit;
    } catch (RuntimeException | Error e) {
      LOG.warn("run {} cannot go on, it will be taken up again", live.run.id(), e);
      return drain(Exit.ABANDONED);
    } finally {
      timers.clear();
      queue.leave();
      mailbox.forEach(RunWorker::giveBackUnread);
    }
  }

  /** Another attempt cannot help, so the run fails; false when that cannot be written either. */
  private boolean refused(RefusedWriteException why) throws InterruptedException {
    try {
      return writer.refused(why, children.orphans());
    } catch (ExecutionException e) {
      LOG.error("run {} cannot be ended", live.run.id(), e.getCause());
      return false;
    }
  }

  private static void giveBackUnread(Message message) {
    if (message instanceof Message.PermitTaken taken) {
      taken.permit().giveBack();
    }
  }

  /** Starts, skips and ends steps until none can change without waiting. */
  private void settle() {
    boolean moved = true;
    while (moved) {
      moved = false;
      for (NextSteps.Verdict verdict : live.progress().verdicts()) {
        queue.forget(verdict.name());
        ends.without(live.task(verdict.name()), verdict.state());
        moved = true;
      }
      moved |= rollback.begin();
      for (NextSteps.Task task : live.progress().ready(live.now())) {
        moved |= !queue.contains(task.name()) && begin(task);
      }
    }
  }

  /** Starts, skips or fails a step that is ready; false when it has to wait for a permit. */
  private boolean begin(NextSteps.Task task) {
    StepCalls.Prepared prepared;
    try {
      if (!calls.conditionsHold(task.step())) {
        queue.forget(task.name());
        ends.without(task, StepState.SKIPPED);
        return true;
      }
      Optional<StepError> refusal = calls.refusal(task.step());
      if (refusal.isPresent()) {
        queue.forget(task.name());
        ends.failed(task, refusal.get());
        return true;
      }
      prepared = calls.prepare(task);
    } catch (RenderingException e) {
      queue.forget(task.name());
      ends.notRenderable(task, e);
      return true;
    }
    if (task.step().subWorkflow().isPresent() && !StepLaunch.needsGate(task.step())) {
      writer.announce(live.now());
      children.begin(task, prepared);
      return true;
    }
    Optional<Permits.Permit> permit = queue.take(task.name(), launches.permitFor(task));
    if (permit.isEmpty()) {
      return false;
    }
    Instant now = live.now();
    StepRecord started = live.pending.record(task.name()).started(prepared.inputHash(), now);
    live.pending.put(started);
    writer.announce(now);
    live.pending.tell(live.events.step("step.started", started, now));
    launches.add(task, prepared, StepCall.Origin.FRESH, Errand.EXECUTE, permit);
    return true;
  }

  /** Continues steps that were parked, or were executing when their server died. */
  private void wake(Predicate<StepRecord> which) {
    for (StepRecord record : List.copyOf(live.pending.records())) {
      boolean open = record.state() == StepState.WAITING || record.state() == StepState.RUNNING;
      boolean here = launches.has(record.name()) || children.awaitedBy(record);
      if (open && !here && which.test(record)) {
        wake(live.task(record.name()), record);
      }
    }
  }

  private void wake(NextSteps.Task task, StepRecord record) {
    boolean recovered = record.state() == StepState.RUNNING;
    if (live.cancel.isPresent() && !live.progress().mayRepeat(task)) {
      stopOutside(task, Stop.CANCEL);
    } else if (!recovered && timers.attemptDeadline(task, record).isBefore(live.now())) {
      stopOutside(task, Stop.TIMEOUT);
    } else {
      try {
        StepCalls.Prepared prepared = calls.prepare(task);
        live.pending.put(record.resumed());
        if (recovered) {
          live.pending.tell(live.events.recovered(record, live.now()));
        }
        StepCall.Origin origin = recovered ? StepCall.Origin.RECOVERED : StepCall.Origin.RESUMED;
        launches.add(task, prepared, origin, Errand.EXECUTE, Optional.empty());
      } catch (RenderingException e) {
        ends.notRenderable(task, e);
      }
    }
  }

  /** Ends a step that no thread executes, and cancels the work that it began outside. */
  private void stopOutside(NextSteps.Task task, Stop why) {
    try {
      StepCalls.Prepared prepared = calls.prepare(task);
      launches
          .add(task, prepared, StepCall.Origin.RECOVERED, Errand.STOP, Optional.empty())
          .stop(why);
    } catch (RenderingException e) {
      ends.stopped(task, why);
    }
  }

  /** Waits for a message and handles all that have arrived. */
  private void listen() throws InterruptedException {
    timers.set(launches.executing());
    Message next = mailbox.take();
    while (next != null) {
      handle(next);
      next = mailbox.poll();
    }
  }

  private void handle(Message message) {
    switch (message) {
      case Message.StepEnded(StepLaunch.Ended ended) -> stepEnded(ended);
      case Message.PermitTaken(String step, Permits.Permit permit) -> queue.arrived(step, permit);
      case Message.TimeToLook() -> timers.clear();
      case Message.Signal signal -> signalled(signal);
      case Message.Lost() -> {}
    }
  }

  private void signalled(Message.Signal signal) {
    if (signal.cancel().isPresent() && !signal.cancel().equals(live.cancel)) {
      live.cancel = signal.cancel();
      launches.stop(launch -> !live.progress().mayRepeat(launch.task()), Stop.CANCEL);
    }
    if (signal.signals() != live.signals && made.lookedAt()) {
      live.signals = signal.signals();
      wake(record -> record.state() == StepState.WAITING);
    }
  }

  private void stepEnded(StepLaunch.Ended ended) {
    StepLaunch launch = ended.launch();
    NextSteps.Task task = launch.task();
    launches.ended(launch);
    if (launches.lost()) {
      return;
    }
    if (ended.result() == null && launch.leavesTheOutside()) {
      stopOutside(task, Objects.requireNonNull(launch.stopped()));
      return;
    }
    switch (ended.result()) {
      case Result.Succeeded passed when task.step().subWorkflow().isPresent() -> {
        if (launch.stopped() == null) {
          children.begin(task, launch.prepared());
        } else {
          ends.stopped(task, launch.stopped());
        }
      }
      case Result.Succeeded succeeded -> ends.succeeded(task, succeeded);
      case Result.Failed failed when launch.stopped() == Stop.CANCEL ->
          ends.stopped(task, Stop.CANCEL);
      case Result.Failed failed -> ends.attemptFailed(task, failed.error(), failed.notBefore());
      case Result.Parked parked when launch.stopped() == null -> ends.parked(task, parked);
      case Result.Parked parked -> stopOutside(task, launch.stopped());
      case null -> ends.stopped(task, Objects.requireNonNull(launch.stopped()));
    }
  }

  /** Stops steps whose time limit has passed, wakes steps whose timer is due. */
  private void lookAtTimes() {
    Instant now = timers.look();
    if (timers.runTimeIsUp(now)) {
      launches.stop(launch -> true, Stop.RUN_TIMEOUT);
      children.awaiting().forEach(record -> children.stop(record, Stop.RUN_TIMEOUT));
      live.in(StepState.WAITING).stream()
          .filter(record -> !launches.has(record.name()) && !children.awaitedBy(record))
          .forEach(record -> stopOutside(live.task(record.name()), Stop.RUN_TIMEOUT));
      failPendingAfterTimeout();
      return;
    }
    launches.stop(launch -> !launch.call().deadline().isAfter(now), Stop.TIMEOUT);
    wake(
        record ->
            record.state() == StepState.WAITING
                && record.wakeAt() != null
                && !record.wakeAt().isAfter(now));
  }

  /** When no step executes, one pending step fails, so that the run has an error. */
  private void failPendingAfterTimeout() {
    if (!launches.idle() || !children.awaiting().isEmpty()) {
      return;
    }
    live.definition.workflow().steps().stream()
        .filter(s -> live.pending.record(s.name()).state() == StepState.PENDING)
        .findFirst()
        .ifPresent(
            step -> {
              queue.forget(step.name());
              ends.failed(new NextSteps.Task(step.name(), step), StepEnds.runTimeout());
            });
  }

  /** Interrupts the steps and waits until none executes any more. */
  private Exit drain(Exit exit) throws InterruptedException {
    lose();
    launches.discard();
    while (!launches.none()) {
      switch (mailbox.take()) {
        case Message.StepEnded(StepLaunch.Ended ended) -> launches.ended(ended.launch());
        case Message.PermitTaken taken -> giveBackUnread(taken);
        case Message.TimeToLook() -> {}
        case Message.Signal signal -> {}
        case Message.Lost() -> {}
      }
    }
    return exit;
  }
}
