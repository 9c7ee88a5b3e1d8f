package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.StepState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a run waits for in time, and the one alarm that its worker sets for it. */
final class RunTimers {
  private final LiveRun live;
  private final Runnable ring;
  private Alarms.@Nullable Alarm alarm;
  private @Nullable Instant alarmAt;
  private Instant looked = Instant.MIN;

  RunTimers(LiveRun live, Runnable ring) {
    this.live = live;
    this.ring = ring;
  }

  /** What is due by now is being dealt with. */
  Instant look() {
    looked = live.now();
    return looked;
  }

  /** Until when this attempt may take; waiting that was asked for does not count. */
  Instant attemptDeadline(NextSteps.Task task, StepRecord record) {
    boolean exempt = record.parked() != null && record.parked().limits() != StepExecutor.Limits.ALL;
    Instant start = exempt || record.startedAt() == null ? live.now() : record.startedAt();
    return start.plus(task.step().timeout());
  }

  boolean runTimeIsUp(Instant now) {
    Instant deadline = live.deadline();
    return deadline != null
        && !deadline.isAfter(now)
        && live.progress().mode() == NextSteps.Mode.GOING;
  }

  /** When the run has to be looked at again although nothing executes. */
  Optional<Instant> ofWaiting() {
    return waiting().stream().min(Instant::compareTo);
  }

  private List<Instant> waiting() {
    List<Instant> timers = new ArrayList<>();
    boolean rollback = live.rollback.filter(RunWrite.Rollback.RUNNING::equals).isPresent();
    for (StepRecord record : live.pending.records()) {
      // During a rollback no pending step starts, so its timer does not count.
      if (record.wakeAt() != null && !(rollback && record.state() == StepState.PENDING)) {
        timers.add(record.wakeAt());
      }
      if (record.state() == StepState.WAITING
          && record.parked() != null
          && record.parked().limits() == StepExecutor.Limits.ALL) {
        timers.add(attemptDeadline(live.task(record.name()), record));
      }
    }
    Instant deadline = live.deadline();
    if (deadline != null && live.progress().mode() == NextSteps.Mode.GOING && !paused()) {
      timers.add(deadline);
    }
    return timers;
  }

  /**
   * Whether the deadline of the run is paused: it waits only for approvals, which no limit counts,
   * and for other runs, which have deadlines of their own.
   */
  boolean paused() {
    boolean any = false;
    for (StepRecord record : live.pending.records()) {
      switch (record.state()) {
        case RUNNING -> {
          return false;
        }
        case WAITING, PENDING -> {
          boolean uncounted =
              record.parked() != null && record.parked().limits() == StepExecutor.Limits.NONE;
          if (!uncounted) {
            return false;
          }
          any = true;
        }
        case SUCCEEDED, FAILED, SKIPPED, CANCELLED, ROLLED_BACK -> {}
      }
    }
    return any;
  }

  /** Rings when the next attempt or timer of those is due. */
  void set(Iterable<StepLaunch> executing) {
    List<Instant> timers = waiting();
    for (StepLaunch launch : executing) {
      if (launch.stopped() == null) {
        timers.add(launch.call().deadline());
      }
    }
    // Timers that were due at the last look have been handled.
    Optional<Instant> next =
        timers.stream().filter(at -> at.isAfter(looked)).min(Instant::compareTo);
    // An alarm that is too early does no harm; a new one for each step would cost more.
    if (next.isEmpty() || alarmAt != null && !alarmAt.isAfter(next.get())) {
      return;
    }
    clear();
    alarmAt = next.get();
    alarm = live.context.alarms().at(next.get(), ring);
  }

  void clear() {
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
    alarmAt = null;
  }
}
