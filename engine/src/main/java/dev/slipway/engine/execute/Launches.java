package dev.slipway.engine.execute;

import dev.slipway.engine.execute.StepLaunch.Errand;
import dev.slipway.engine.execute.StepLaunch.Stop;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The steps of one run that execute here, and those that will as soon as it is written that they
 * do. Belongs to the run's worker; that the run is lost may be said by any thread.
 */
final class Launches {
  private final StepCalls calls;
  private final LiveRun live;
  private final RunTimers timers;
  private final Permits permits;
  private final LogFlush logs;
  private final RunLease lease;
  private final Consumer<StepLaunch.Ended> post;
  private final Map<String, StepLaunch> executing = new ConcurrentHashMap<>();
  private final List<StepLaunch> next = new ArrayList<>();
  private volatile boolean lost;

  /** Who has ended is posted to the worker. */
  Launches(
      LiveRun live,
      StepCalls calls,
      RunTimers timers,
      Permits permits,
      LogFlush logs,
      RunLease lease,
      Consumer<StepLaunch.Ended> post) {
    this.live = live;
    this.calls = calls;
    this.timers = timers;
    this.permits = permits;
    this.logs = logs;
    this.lease = lease;
    this.post = post;
  }

  /** Nothing executes. */
  boolean none() {
    return executing.isEmpty();
  }

  /** Nothing executes, nothing is about to. */
  boolean idle() {
    return executing.isEmpty() && next.isEmpty();
  }

  boolean has(String step) {
    return executing.containsKey(step)
        || next.stream().anyMatch(launch -> launch.task().name().equals(step));
  }

  Collection<StepLaunch> executing() {
    return executing.values();
  }

  Permits.Permit permitFor(NextSteps.Task task) {
    return permits.of(live.definition.snapshot().provider(), calls.typeOf(task.step()));
  }

  /** To be started with the next write. */
  StepLaunch add(
      NextSteps.Task task,
      StepCalls.Prepared prepared,
      StepCall.Origin origin,
      Errand errand,
      Optional<Permits.Permit> taken) {
    StepRecord record = live.pending.record(task.name());
    StepCall call =
        calls.call(task, record, prepared, origin, timers.attemptDeadline(task, record), lease);
    logs.opened((StepLogBuffer) call.log());
    StepLaunch launch =
        new StepLaunch(
            task,
            prepared,
            StepLaunch.needsGate(task.step()) ? calls.gate() : null,
            call,
            errand,
            taken.orElseGet(() -> permitFor(task)),
            permitState(errand, taken),
            post);
    next.add(launch);
    return launch;
  }

  private static StepLaunch.PermitState permitState(Errand errand, Optional<Permits.Permit> taken) {
    if (errand == Errand.STOP) {
      return StepLaunch.PermitState.NOT_NEEDED;
    }
    return taken.isPresent() ? StepLaunch.PermitState.TAKEN : StepLaunch.PermitState.WANTED;
  }

  /** It is written: starts them. */
  void start() {
    for (StepLaunch launch : next) {
      executing.put(launch.task().name(), launch);
      launch.start(live.context.threads());
      if (lost) {
        launch.stop(Stop.LOST);
      }
    }
    next.clear();
  }

  void stop(Predicate<StepLaunch> which, Stop why) {
    executing.values().stream().filter(which).forEach(launch -> launch.stop(why));
  }

  void ended(StepLaunch launch) {
    executing.remove(launch.task().name());
    logs.ended((StepLogBuffer) launch.call().log());
  }

  boolean lost() {
    return lost;
  }

  /** This replica no longer owns the run: interrupts the steps that execute. */
  void lose() {
    lost = true;
    executing.values().forEach(launch -> launch.stop(Stop.LOST));
  }

  /** What was asked to stop has no more time for it. */
  void hurry() {
    executing.values().forEach(StepLaunch::hurry);
  }

  /** Nothing more is started. */
  void discard() {
    for (StepLaunch launch : next) {
      launch.discard();
      logs.ended((StepLogBuffer) launch.call().log());
    }
    next.clear();
  }
}
