package dev.slipway.engine.lifecycle;

import static dev.slipway.engine.lifecycle.Actor.ENGINE;
import static dev.slipway.engine.lifecycle.Actor.USER;

import java.util.EnumSet;
import java.util.Set;

/** The tables of runs and steps. */
public final class Lifecycles {
  private Lifecycles() {}

  /** Runs. */
  public static final Transitions<RunState> RUN =
      Transitions.<RunState>table()
          .row(RunState.PENDING, RunState.RUNNING, ENGINE, "claimed")
          .row(
              Set.of(RunState.PENDING), RunState.CANCELLED, Set.of(USER, ENGINE), "cancelled first")
          .row(RunState.RUNNING, RunState.WAITING, ENGINE, "every open step waits")
          .row(RunState.WAITING, RunState.RUNNING, ENGINE, "timer due, approval decided")
          .row(running(), RunState.SUCCEEDED, Set.of(ENGINE), "all steps done")
          .row(running(), RunState.FAILED, Set.of(ENGINE), "a step failed, or time is up")
          .row(running(), RunState.PARTIAL, Set.of(ENGINE), "independent branches succeeded")
          .row(running(), RunState.CANCELLED, Set.of(ENGINE), "cancel asked for and done")
          .build();

  /** Steps. */
  public static final Transitions<StepState> STEP =
      Transitions.<StepState>table()
          .row(StepState.PENDING, StepState.RUNNING, ENGINE, "started; intent is stored")
          .row(StepState.PENDING, StepState.WAITING, ENGINE, "approval or timer before it")
          .row(StepState.PENDING, StepState.SKIPPED, ENGINE, "its condition is false")
          .row(StepState.PENDING, StepState.FAILED, ENGINE, "its inputs cannot be rendered")
          .row(StepState.PENDING, StepState.CANCELLED, ENGINE, "run ended before it started")
          .row(StepState.RUNNING, StepState.RUNNING, ENGINE, "recovered after a crash, same key")
          .row(StepState.RUNNING, StepState.WAITING, ENGINE, "approval, external job or timer")
          .row(StepState.RUNNING, StepState.PENDING, ENGINE, "attempt failed, retry is due later")
          .row(StepState.RUNNING, StepState.SUCCEEDED, ENGINE, "done")
          .row(StepState.RUNNING, StepState.FAILED, ENGINE, "last attempt failed")
          .row(StepState.RUNNING, StepState.CANCELLED, ENGINE, "stopped")
          .row(StepState.WAITING, StepState.RUNNING, ENGINE, "what it waited for is there")
          .row(StepState.WAITING, StepState.SUCCEEDED, ENGINE, "what it waited for was all")
          .row(StepState.WAITING, StepState.PENDING, ENGINE, "took too long, retry is due later")
          .row(StepState.WAITING, StepState.FAILED, ENGINE, "rejected or expired")
          .row(StepState.WAITING, StepState.CANCELLED, ENGINE, "stopped")
          .row(StepState.SUCCEEDED, StepState.ROLLED_BACK, ENGINE, "compensated")
          .build();

  private static Set<RunState> running() {
    return EnumSet.of(RunState.RUNNING, RunState.WAITING);
  }
}
