package dev.slipway.engine.execute;

import dev.slipway.engine.execute.RunWrite.Deadline;
import dev.slipway.engine.execute.RunWrite.Hold;
import dev.slipway.engine.execute.RunWrite.ResourceChange;
import dev.slipway.engine.execute.RunWrite.RunChange;
import dev.slipway.engine.execute.StepLaunch.Stop;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import dev.slipway.engine.workflow.RenderingException;
import dev.slipway.engine.workflow.Retry;
import dev.slipway.engine.workflow.Scope;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one claimed run as far as it goes: to its end, or to where everything waits. Has a thread
 * of its own and hears of everything through one mailbox. What it decides is written before it is
 * acted upon; when a write is refused the run belongs to somebody else, and it stops at once.
 */
final class RunWorker {
  private static final Logger LOG = LoggerFactory.getLogger(RunWorker.class);

  /** How the worker's time with the run ended. */
  enum Exit {
    /** Ended or given back. */
    WRITTEN,
    /** Somebody else has it. */
    LOST,
    /** It could not go on; nobody else has it yet. */
    ABANDONED
  }

  private sealed interface Message {
    record StepEnded(StepLaunch.Ended ended) implements Message {}

    record PermitTaken(String step, Permits.Permit permit) implements Message {}

    record TimeToLook() implements Message {}

    record Signal(Optional<RunStore.Cancel> cancel, int signals) implements Message {}

    record Lost() implements Message {}
  }

  private final Workshop shop;
  private final Permits permits;
  private final LogFlush logs;
  private final ClaimedRun run;
  private final Definitions.Parsed definition;
  private final RunLedger ledger;
  private final RunValues values;
  private final RunEvents events;
  private final StepCalls calls;

  private final BlockingQueue<Message> mailbox = new LinkedBlockingQueue<>();
  private final Map<String, StepLaunch> executing = new ConcurrentHashMap<>();
  private final List<StepLaunch> toLaunch = new ArrayList<>();
  private final Map<String, Thread> queued = new HashMap<>();
  private final Map<String, Permits.Permit> granted = new HashMap<>();
  private final Map<String, StepCalls.Prepared> prepared = new HashMap<>();
  private Optional<RunStore.Cancel> cancel;
  private int signals;
  private boolean variablesChanged;
  private Alarms.@Nullable Alarm alarm;
  private @Nullable Instant alarmAt;
  private boolean announced;
  private boolean left;
  private Instant looked = Instant.MIN;
  private volatile boolean leaving;
  private volatile boolean gaveBack;
  private volatile boolean lost;

  RunWorker(
      Workshop shop,
      Permits permits,
      LogFlush logs,
      ClaimedRun run,
      Definitions.Parsed definition) {
    this.shop = shop;
    this.permits = permits;
    this.logs = logs;
    this.run = run;
    this.definition = definition;
    this.ledger = new RunLedger(run, definition.workflow());
    this.values = new RunValues(shop.box(), run, definition, shop.rendering());
    this.events = new RunEvents(run, definition.snapshot());
    this.calls = new StepCalls(shop, run, definition, values);
    this.cancel = run.cancel();
    this.signals = run.signals();
  }

  // ---------------------------------------------------------------- heard from other threads

  /** The lease was prolonged; this is what arrived for the run by then. */
  void held(RunStore.Held held) {
    mailbox.add(new Message.Signal(held.cancel(), held.signals()));
  }

  /** The run is not ours any more: stops what executes, writes nothing. */
  void lose() {
    lost = true;
    executing.values().forEach(launch -> launch.stop(Stop.LOST));
    mailbox.add(new Message.Lost());
  }

  /** The write that gives the run back is under way: that the lease is gone means nothing now. */
  boolean leaving() {
    return leaving;
  }

  /** Whether the run waits for something now, rather than being over. */
  boolean gaveBack() {
    return gaveBack;
  }

  // ---------------------------------------------------------------- its own thread

  Exit work() throws InterruptedException {
    try {
      takeUp();
      while (true) {
        lookAtTimes();
        settle();
        Optional<RunState> end = progress().end();
        if (end.isPresent() && executing.isEmpty()) {
          return finish(end.get());
        }
        if (executing.isEmpty() && toLaunch.isEmpty() && queued.isEmpty()) {
          return park();
        }
        if (ledger.dirty() && !write(Optional.empty(), startedResource())) {
          return drain(Exit.LOST);
        }
        launch();
        listen();
        if (lost) {
          return drain(Exit.LOST);
        }
      }
    } catch (ExecutionException e) {
      LOG.error("run {} cannot go on", run.id(), e.getCause());
      lose();
      return drain(Exit.ABANDONED);
    } finally {
      leave();
    }
  }

  /** What was going on when the run was given back or its owner died. */
  private void takeUp() {
    Instant now = now();
    for (StepRecord record : List.copyOf(ledger.records())) {
      boolean open = record.state() == StepState.RUNNING || record.state() == StepState.WAITING;
      if (open) {
        Progress.Task task = progress().task(record.name()).orElseThrow();
        if (cancel.isPresent() && !progress().mayRepeat(task)) {
          stopOutside(task, record, Stop.CANCEL);
        } else {
          resume(task, record, now);
        }
      }
    }
  }

  private void resume(Progress.Task task, StepRecord record, Instant now) {
    boolean recovered = record.state() == StepState.RUNNING;
    if (!recovered && attemptDeadline(task, record).isBefore(now)) {
      stopOutside(task, record, Stop.TIMEOUT);
      return;
    }
    ledger.put(record.resumed());
    if (recovered) {
      ledger.tell(events.recovered(record, now));
    }
    prepare(
        task,
        recovered ? StepCall.Origin.RECOVERED : StepCall.Origin.RESUMED,
        StepLaunch.Errand.EXECUTE,
        StepLaunch.PermitState.WANTED,
        permitFor(task));
  }

  private void stopOutside(Progress.Task task, StepRecord record, Stop why) {
    StepLaunch launch =
        prepare(
            task,
            StepCall.Origin.RECOVERED,
            StepLaunch.Errand.STOP,
            StepLaunch.PermitState.WANTED,
            permitFor(task));
    if (launch != null) {
      launch.stop(why);
    }
  }

  private @Nullable StepLaunch prepare(
      Progress.Task task,
      StepCall.Origin origin,
      StepLaunch.Errand errand,
      StepLaunch.PermitState permitState,
      Permits.Permit permit) {
    StepCalls.Prepared call;
    try {
      call = prepared.containsKey(task.name()) ? prepared.remove(task.name()) : calls.prepare(task);
    } catch (RenderingException e) {
      if (permitState == StepLaunch.PermitState.TAKEN) {
        permit.giveBack();
      }
      endFailed(task, notRenderable(e));
      return null;
    }
    StepRecord record = ledger.record(task.name());
    StepCall stepCall = calls.call(task, record, call, origin, attemptDeadline(task, record));
    logs.opened((StepLogBuffer) stepCall.log());
    StepLaunch launch =
        new StepLaunch(
            task,
            call.executor(),
            StepLaunch.needsGate(task.step()) ? calls.gate() : null,
            stepCall,
            errand,
            permit,
            permitState,
            ended -> mailbox.add(new Message.StepEnded(ended)));
    toLaunch.add(launch);
    return launch;
  }

  /** Makes every move that can be made without waiting for anything. */
  private void settle() {
    boolean moved = true;
    while (moved) {
      moved = false;
      Instant now = now();
      for (Progress.Verdict verdict : progress().verdicts()) {
        outOfQueue(verdict.name());
        endWithout(verdict.name(), verdict.state(), now);
        moved = true;
      }
      for (String name : progress().undone()) {
        StepRecord undone = ledger.record(name).rolledBack();
        ledger.put(undone);
        ledger.tell(events.step("step.rolled-back", undone, now));
        moved = true;
      }
      for (Progress.Task task : progress().ready(now)) {
        moved |= !queued.containsKey(task.name()) && begin(task, now);
      }
    }
  }

  private void outOfQueue(String name) {
    Thread waits = queued.remove(name);
    if (waits != null) {
      waits.interrupt();
    }
    Permits.Permit unused = granted.remove(name);
    if (unused != null) {
      unused.giveBack();
    }
  }

  /** Starts a step whose turn it is, or says why it does not run. */
  private boolean begin(Progress.Task task, Instant now) {
    StepRecord record = ledger.record(task.name());
    try {
      if (!calls.conditionsHold(task.step())) {
        endWithout(task.name(), StepState.SKIPPED, now);
        return true;
      }
      prepared.put(task.name(), calls.prepare(task));
    } catch (RenderingException e) {
      endFailed(task, notRenderable(e));
      return true;
    }
    Permits.Permit permit = granted.remove(task.name());
    if (permit == null) {
      permit = permitFor(task);
      if (!permit.tryTake()) {
        queue(task.name(), permit);
        return false;
      }
    }
    StepRecord started = record.started(prepared.get(task.name()).inputHash(), now);
    ledger.put(started);
    announce(now);
    ledger.tell(events.step("step.started", started, now));
    prepare(
        task,
        StepCall.Origin.FRESH,
        StepLaunch.Errand.EXECUTE,
        StepLaunch.PermitState.TAKEN,
        permit);
    return true;
  }

  private void announce(Instant now) {
    if (ledger.untouched() && !announced) {
      announced = true;
      ledger.tell(events.run("workflow.started", now));
      shop.metrics().started(Duration.between(run.createdAt(), now));
    }
  }

  private Permits.Permit permitFor(Progress.Task task) {
    return permits.of(definition.snapshot().provider(), calls.typeOf(task.step()));
  }

  private void queue(String step, Permits.Permit permit) {
    Runnable wait =
        () -> {
          try {
            permit.take();
            if (!post(new Message.PermitTaken(step, permit))) {
              permit.giveBack();
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
    queued.put(step, Thread.ofVirtual().name("permit " + run.id() + "/" + step).start(wait));
  }

  /** False when the worker has left: nobody will read it. */
  private synchronized boolean post(Message message) {
    return !left && mailbox.add(message);
  }

  private synchronized void leave() {
    left = true;
    clearAlarm();
    queued.values().forEach(Thread::interrupt);
    granted.values().forEach(Permits.Permit::giveBack);
    for (Message message : mailbox) {
      if (message instanceof Message.PermitTaken taken) {
        taken.permit().giveBack();
      }
    }
  }

  private void launch() {
    for (StepLaunch launch : toLaunch) {
      executing.put(launch.task().name(), launch);
      launch.start("step " + launch.call().key());
      if (lost) {
        launch.stop(Stop.LOST);
      }
    }
    toLaunch.clear();
  }

  /** Waits for news and takes in all there is. */
  private void listen() throws InterruptedException {
    setAlarm();
    List<Message> news = new ArrayList<>();
    news.add(mailbox.take());
    mailbox.drainTo(news);
    news.forEach(this::hear);
  }

  private void hear(Message message) {
    switch (message) {
      case Message.StepEnded(StepLaunch.Ended ended) -> stepEnded(ended);
      case Message.PermitTaken(String step, Permits.Permit permit) -> permitTaken(step, permit);
      case Message.TimeToLook() -> clearAlarm();
      case Message.Signal signal -> signalled(signal);
      case Message.Lost() -> {}
    }
  }

  private void permitTaken(String step, Permits.Permit permit) {
    if (queued.remove(step) != null) {
      granted.put(step, permit);
    } else {
      permit.giveBack();
    }
  }

  private void signalled(Message.Signal signal) {
    boolean cancelIsNew = signal.cancel().isPresent() && !signal.cancel().equals(cancel);
    if (cancelIsNew) {
      cancel = signal.cancel();
      executing.values().stream()
          .filter(launch -> !progress().mayRepeat(launch.task()))
          .forEach(launch -> launch.stop(Stop.CANCEL));
    }
    if (signal.signals() != signals) {
      signals = signal.signals();
      wakeParked(record -> true);
    }
  }

  private void wakeParked(Predicate<StepRecord> which) {
    Instant now = now();
    for (StepRecord record : List.copyOf(ledger.records())) {
      if (record.state() == StepState.WAITING
          && !executing.containsKey(record.name())
          && which.test(record)) {
        Progress.Task task = progress().task(record.name()).orElseThrow();
        if (cancel.isPresent() && !progress().mayRepeat(task)) {
          stopOutside(task, record, Stop.CANCEL);
        } else {
          resume(task, record, now);
        }
      }
    }
  }

  // ---------------------------------------------------------------- ends of steps

  private void stepEnded(StepLaunch.Ended ended) {
    StepLaunch launch = ended.launch();
    Progress.Task task = launch.task();
    executing.remove(task.name());
    logs.ended((StepLogBuffer) launch.call().log());
    if (lost) {
      return;
    }
    switch (ended.result()) {
      case StepExecutor.Result.Succeeded succeeded -> endSucceeded(task, succeeded);
      case StepExecutor.Result.Failed failed when launch.stopped() == Stop.CANCEL ->
          endWithout(task.name(), StepState.CANCELLED, now());
      case StepExecutor.Result.Failed failed -> attemptFailed(task, failed.error());
      case StepExecutor.Result.Parked parked when launch.stopped() == null -> parked(task, parked);
      case StepExecutor.Result.Parked parked ->
          stopOutside(task, ledger.record(task.name()), launch.stopped());
      case null -> stopped(task, Objects.requireNonNull(launch.stopped()));
    }
  }

  private void stopped(Progress.Task task, Stop why) {
    Duration timeout = task.step().timeout();
    switch (why) {
      case CANCEL -> endWithout(task.name(), StepState.CANCELLED, now());
      case TIMEOUT ->
          attemptFailed(
              task,
              StepError.passing(
                  "timeout",
                  "it took longer than its timeout of " + timeout.toSeconds() + " s",
                  "Raise the step's timeout, or find out what it waits for in its log."));
      case RUN_TIMEOUT -> endFailed(task, runTimeout());
      case LOST -> {}
    }
  }

  private static StepError runTimeout() {
    return StepError.permanent(
        Progress.RUN_TIMEOUT,
        "the run took longer than workflows may take",
        "Raise workflowPolicies.maxWorkflowDuration, or make the workflow shorter.");
  }

  private void endSucceeded(Progress.Task task, StepExecutor.Result.Succeeded succeeded) {
    Optional<StepError> refusal = values.refusal(succeeded.outputs());
    if (refusal.isPresent()) {
      endFailed(task, refusal.get());
      return;
    }
    Instant now = now();
    Map<String, Object> sealed = values.seal(succeeded.outputs(), succeeded.secretOutputs());
    StepRecord done = ledger.record(task.name()).ended(StepState.SUCCEEDED, sealed, null, now);
    try {
      setVariables(task, succeeded.outputs());
    } catch (RenderingException e) {
      endFailed(task, notRenderable(e));
      return;
    }
    end(task, done, "step.completed");
  }

  private void setVariables(Progress.Task task, Map<String, Object> outputs) {
    if (task.step().setVariables().isEmpty()) {
      return;
    }
    Scope view = values.viewAfter(task.name(), StepState.SUCCEEDED, outputs);
    values.variables(shop.rendering().setVariables(task.step(), view));
    variablesChanged = true;
  }

  private void attemptFailed(Progress.Task task, StepError error) {
    StepRecord record = ledger.record(task.name());
    StepError masked = values.masked(error);
    boolean again =
        record.attempt() < task.step().retry().attempts()
            && (error.kind() == StepError.Kind.TRANSIENT
                || task.step().retry().on() == Retry.On.ANY)
            && progress().mayRepeat(task);
    if (!again) {
      endFailed(task, error);
      return;
    }
    Instant now = now();
    Duration delay = task.step().retry().delayAfter(record.attempt(), shop.random());
    ledger.attempt(
        new RunWrite.FailedAttempt(task.name(), record.attempt(), masked, record.startedAt(), now));
    StepRecord next = record.again(masked, now.plus(delay));
    ledger.put(next);
    ledger.tell(events.step("step.retrying", next, now));
  }

  private void parked(Progress.Task task, StepExecutor.Result.Parked parked) {
    StepRecord record = ledger.record(task.name());
    boolean asBefore =
        record.parked() != null && record.parked().waitingFor().equals(parked.waitingFor());
    StepRecord waits =
        record.parked(
            parked.wakeAt(),
            new StepRecord.Parking(parked.waitingFor(), parked.memory(), parked.limits()));
    ledger.put(waits);
    if (!asBefore) {
      ledger.tell(events.step("step.waiting", waits, now()));
    }
  }

  private void endFailed(Progress.Task task, StepError error) {
    StepRecord failed =
        ledger.record(task.name()).ended(StepState.FAILED, null, values.masked(error), now());
    end(task, failed, "step.failed");
  }

  private void endWithout(String name, StepState state, Instant now) {
    StepRecord record = ledger.record(name);
    StepRecord ended = record.ended(state, null, record.error(), now);
    Progress.Task task = progress().task(name).orElseThrow();
    switch (state) {
      case SKIPPED -> end(task, ended, "step.skipped");
      case FAILED -> end(task, ended, "step.failed");
      case CANCELLED, PENDING, RUNNING, WAITING, SUCCEEDED, ROLLED_BACK -> end(task, ended, null);
    }
  }

  private void end(Progress.Task task, StepRecord ended, @Nullable String event) {
    ledger.put(ended);
    values.learn(ended);
    if (event != null) {
      ledger.tell(events.step(event, ended, now()));
    }
    Duration took =
        ended.startedAt() == null
            ? Duration.ZERO
            : Duration.between(ended.startedAt(), ended.finishedAt());
    shop.metrics().stepEnded(task.step().type(), ended.state(), took);
  }

  private StepError notRenderable(RenderingException e) {
    return StepError.permanent("template", String.valueOf(e.getMessage()), e.hint().orElse(null));
  }

  // ---------------------------------------------------------------- time

  /** Stops what has taken too long, wakes what is due. */
  private void lookAtTimes() {
    Instant now = now();
    looked = now;
    if (runTimeIsUp(now)) {
      executing.values().forEach(launch -> launch.stop(Stop.RUN_TIMEOUT));
      List.copyOf(ledger.records()).stream()
          .filter(r -> r.state() == StepState.WAITING && !executing.containsKey(r.name()))
          .forEach(r -> stopOutside(progress().task(r.name()).orElseThrow(), r, Stop.RUN_TIMEOUT));
      failPendingAfterTimeout();
      return;
    }
    for (StepLaunch launch : executing.values()) {
      if (!launch.call().deadline().isAfter(now)) {
        launch.stop(Stop.TIMEOUT);
      }
    }
    wakeParked(record -> record.wakeAt() != null && !record.wakeAt().isAfter(now));
  }

  /** When nothing executes, some step still has to say why the run failed. */
  private void failPendingAfterTimeout() {
    if (!executing.isEmpty() || !toLaunch.isEmpty()) {
      return;
    }
    definition.workflow().steps().stream()
        .filter(s -> ledger.record(s.name()).state() == StepState.PENDING)
        .findFirst()
        .ifPresent(
            s -> {
              outOfQueue(s.name());
              endFailed(new Progress.Task(s.name(), s), runTimeout());
            });
  }

  private boolean runTimeIsUp(Instant now) {
    return run.deadline() != null
        && !run.deadline().isAfter(now)
        && progress().mode() == Progress.Mode.GOING;
  }

  /** Until when this attempt may take; waiting that was asked for does not count. */
  private Instant attemptDeadline(Progress.Task task, StepRecord record) {
    boolean exempt = record.parked() != null && record.parked().limits() != StepExecutor.Limits.ALL;
    Instant start = exempt || record.startedAt() == null ? now() : record.startedAt();
    return start.plus(task.step().timeout());
  }

  private Optional<Instant> nextTimer() {
    Stream<Instant> attempts =
        executing.values().stream()
            .filter(launch -> launch.stopped() == null)
            .map(launch -> launch.call().deadline());
    // What was due when we last looked has been dealt with.
    return Stream.concat(attempts, timersOfWaiting())
        .filter(at -> at.isAfter(looked))
        .min(Instant::compareTo);
  }

  private Stream<Instant> timersOfWaiting() {
    List<Instant> timers = new ArrayList<>();
    for (StepRecord record : ledger.records()) {
      if (record.wakeAt() != null) {
        timers.add(record.wakeAt());
      }
      if (record.state() == StepState.WAITING
          && record.parked() != null
          && record.parked().limits() == StepExecutor.Limits.ALL) {
        timers.add(attemptDeadline(progress().task(record.name()).orElseThrow(), record));
      }
    }
    if (run.deadline() != null
        && progress().mode() == Progress.Mode.GOING
        && !onlyPeopleAreWaitedFor()) {
      timers.add(run.deadline());
    }
    return timers.stream();
  }

  private boolean onlyPeopleAreWaitedFor() {
    List<StepRecord> open =
        ledger.records().stream()
            .filter(r -> r.state() == StepState.WAITING || r.wakeAt() != null)
            .toList();
    return executing.isEmpty()
        && !open.isEmpty()
        && open.stream()
            .allMatch(r -> r.parked() != null && r.parked().limits() == StepExecutor.Limits.NONE);
  }

  private void setAlarm() {
    Instant next = nextTimer().orElse(null);
    // One that rings too early does no harm; setting another for each step would cost more.
    if (next == null || alarmAt != null && !alarmAt.isAfter(next)) {
      return;
    }
    clearAlarm();
    alarmAt = next;
    alarm = shop.alarms().at(next, () -> mailbox.add(new Message.TimeToLook()));
  }

  private void clearAlarm() {
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
    alarmAt = null;
  }

  // ---------------------------------------------------------------- writing

  private Exit park() throws InterruptedException, ExecutionException {
    Instant now = now();
    if (runTimeIsUp(now)) {
      failPendingAfterTimeout();
      settle();
      Optional<RunState> end = progress().end();
      if (end.isPresent()) {
        return finish(end.get());
      }
    }
    if (ledger.records().stream()
        .allMatch(r -> r.state() != StepState.WAITING && r.wakeAt() == null)) {
      throw new IllegalStateException("run " + run.id() + " has open steps that wait for nothing");
    }
    Instant until = timersOfWaiting().min(Instant::compareTo).orElse(null);
    if (ledger.tellsOf("step.waiting") || ledger.tellsOf("step.retrying")) {
      ledger.tell(events.waiting(waitingFor(), until, now));
    }
    RunChange change =
        new RunChange(
            RunState.WAITING,
            new Hold.GiveBack(until, signals),
            values.sealedVariables(),
            Map.of(),
            null,
            null,
            onlyPeopleAreWaitedFor() ? Deadline.STANDS_STILL : Deadline.RUNS);
    gaveBack = true;
    return write(Optional.of(change), Optional.empty()) ? Exit.WRITTEN : drain(Exit.LOST);
  }

  private List<String> waitingFor() {
    return ledger.records().stream()
        .filter(r -> !r.state().finished())
        .map(r -> r.parked() == null ? "retry of " + r.name() : r.parked().waitingFor())
        .toList();
  }

  private Exit finish(RunState planned) throws InterruptedException, ExecutionException {
    if (ledger.untouched() && planned != RunState.CANCELLED) {
      announce(now());
      if (!write(Optional.empty(), startedResource())) {
        return drain(Exit.LOST);
      }
    }
    RunEnd end = RunEnd.of(planned, progress(), definition.workflow(), values, shop.rendering());
    Instant now = now();
    ledger.tell(events.ended(end.state(), end.error(), end.warnings(), now));
    RunChange change =
        new RunChange(
            end.state(),
            new Hold.GiveBack(null, signals),
            values.sealedVariables(),
            end.outputs(),
            end.error(),
            end.rollback(),
            Deadline.RUNS);
    if (!write(Optional.of(change), end.resourceChange(run))) {
      return drain(Exit.LOST);
    }
    shop.metrics().runEnded(run, end.state(), Duration.between(run.startedAt(), now), end.error());
    return Exit.WRITTEN;
  }

  private Optional<ResourceChange> startedResource() {
    if (!ledger.untouched() || !RunEnd.movesResource(run)) {
      return Optional.empty();
    }
    return Optional.of(
        new ResourceChange(
            run.subject().resource(),
            ResourceChange.Effect.STARTED,
            "run " + run.id() + " started",
            null,
            null));
  }

  /** Whether it was written; if not, the run is not ours. */
  private boolean write(Optional<RunChange> change, Optional<ResourceChange> resource)
      throws InterruptedException, ExecutionException {
    Optional<RunChange> whole =
        change.isPresent() || !variablesChanged ? change : Optional.of(goingOn());
    variablesChanged = false;
    leaving = change.isPresent();
    RunStore.Outcome outcome = shop.store().write(ledger.take(whole, resource, now())).get();
    if (outcome == RunStore.Outcome.FENCED) {
      shop.metrics().fencedWrite();
      LOG.warn("run {} is not ours any more (epoch {}): stopping", run.id(), run.epoch());
      lose();
      return false;
    }
    return true;
  }

  private RunChange goingOn() {
    return new RunChange(
        RunState.RUNNING,
        new Hold.Keep(),
        values.sealedVariables(),
        Map.of(),
        null,
        null,
        Deadline.RUNS);
  }

  /** Waits until nothing executes any more, then leaves. */
  private Exit drain(Exit exit) throws InterruptedException {
    toLaunch.forEach(StepLaunch::discard);
    toLaunch.clear();
    while (!executing.isEmpty()) {
      switch (mailbox.take()) {
        case Message.StepEnded(StepLaunch.Ended ended) -> {
          executing.remove(ended.launch().task().name());
          logs.ended((StepLogBuffer) ended.launch().call().log());
        }
        case Message.PermitTaken(String step, Permits.Permit permit) -> permit.giveBack();
        case Message.TimeToLook() -> {}
        case Message.Signal signal -> {}
        case Message.Lost() -> {}
      }
    }
    return exit;
  }

  private Progress progress() {
    return ledger.progress(cancel);
  }

  private Instant now() {
    return shop.clock().instant();
  }
}
