package dev.slipway.engine.execute;

import dev.slipway.engine.execute.StepExecutor.Result;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.workflow.Step;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One call of an executor on a thread of its own, and how it can be stopped. */
final class StepLaunch {
  private static final Logger LOG = LoggerFactory.getLogger(StepLaunch.class);

  /** Why a step is stopped. */
  enum Stop {
    TIMEOUT,
    RUN_TIMEOUT,
    CANCEL,
    /** Another replica owns the run now; nothing is written about the step. */
    LOST
  }

  /** What the thread is for. */
  enum Errand {
    EXECUTE,
    /** No thread executes the step; its work outside is cancelled. */
    STOP
  }

  /** How a call ended; no result when it was stopped. */
  record Ended(StepLaunch launch, @Nullable Result result) {}

  private final NextSteps.Task task;
  private final StepCalls.Prepared prepared;
  private final @Nullable StepExecutor gate;
  private final StepCall call;
  private final Errand errand;
  private final Permits.Permit permit;
  private final Consumer<Ended> done;
  private final PermitState permitState;
  private volatile @Nullable Stop stop;
  private volatile boolean called;
  private volatile @Nullable Thread thread;
  private boolean asked;
  private boolean hurried;

  StepLaunch(
      NextSteps.Task task,
      StepCalls.Prepared prepared,
      @Nullable StepExecutor gate,
      StepCall call,
      Errand errand,
      Permits.Permit permit,
      PermitState permitState,
      Consumer<Ended> done) {
    this.task = task;
    this.prepared = prepared;
    this.gate = gate;
    this.call = call;
    this.errand = errand;
    this.permit = permit;
    this.permitState = permitState;
    this.done = done;
  }

  /** Whether the launch still has to wait for its permit. */
  enum PermitState {
    TAKEN,
    WANTED,
    /** Stopping a step must not wait for the end of other steps. */
    NOT_NEEDED
  }

  NextSteps.Task task() {
    return task;
  }

  StepCalls.Prepared prepared() {
    return prepared;
  }

  StepCall call() {
    return call;
  }

  @Nullable Stop stopped() {
    return stop;
  }

  /** It was stopped before it executed, so the work of an earlier call outside still runs. */
  boolean leavesTheOutside() {
    return errand == Errand.EXECUTE && !called && call.origin() != StepCall.Origin.FRESH;
  }

  void start(Threads threads) {
    thread = threads.start("step " + call.key(), this::run);
  }

  /**
   * Asks it to stop, for that reason; the first reason counts, but a lost run beats all. It is
   * asked once, however many reasons there are: it may need its time to leave in order.
   */
  synchronized void stop(Stop why) {
    if (stop == null || why == Stop.LOST) {
      stop = why;
    }
    Thread running = thread;
    if (running != null && !asked && (errand == Errand.EXECUTE || why == Stop.LOST)) {
      asked = true;
      running.interrupt();
    }
  }

  /** Interrupts the step a second time, at most once: its time to stop in order is over. */
  synchronized void hurry() {
    Thread running = thread;
    if (running != null && asked && !hurried) {
      hurried = true;
      running.interrupt();
    }
  }

  private void run() {
    @Nullable Result result = null;
    try {
      if (permitState == PermitState.WANTED) {
        permit.take();
      }
      try {
        result = errand();
      } finally {
        if (permitState != PermitState.NOT_NEEDED) {
          permit.giveBack();
        }
      }
    } catch (InterruptedException e) {
      if (stop == null) {
        result =
            internal(
                new IllegalStateException(
                    "the step's thread was interrupted without a stop request"));
      }
    } catch (RuntimeException | Error e) {
      result = internal(e);
    }
    done.accept(new Ended(this, result));
  }

  private @Nullable Result errand() throws InterruptedException {
    call.lease().check();
    if (errand == Errand.STOP) {
      if (gate != null) {
        gate.stop(gateCall());
      }
      prepared.executor().stop(call);
      return null;
    }
    called = true;
    if (gate != null && gate.execute(gateCall()) instanceof Result held && !passed(held)) {
      return held;
    }
    return prepared.executor().execute(call);
  }

  private static boolean passed(Result gate) {
    return gate instanceof Result.Succeeded;
  }

  /** A manual step asks first; asking again after a crash finds the same answer. */
  private StepCall gateCall() {
    // With other inputs it is another question.
    Map<String, Object> question =
        Map.of("message", "Start step '" + task.name() + "'?", "inputs", prepared.inputHash());
    return new StepCall(
        call.run(),
        call.step(),
        call.attempt(),
        call.epoch(),
        call.key(),
        call.origin(),
        question,
        Map.of(),
        // When it cannot be asked, this is what the step parks with.
        call.memory(),
        call.scope(),
        call.deadline(),
        call.lease(),
        call.secrets(),
        call.log());
  }

  private Result internal(Throwable e) {
    LOG.error("the executor of step {} of run {} failed", task.name(), call.run(), e);
    return new Result.Failed(
        StepError.permanent(
            "internal",
            "the executor of '" + task.step().type() + "' broke: " + e,
            "This is a defect of Slipway. The server's log has the details."),
        Map.of());
  }

  /** It will not be started after all. */
  void discard() {
    if (permitState == PermitState.TAKEN) {
      permit.giveBack();
    }
  }

  static boolean needsGate(Step step) {
    return step.when() == Step.When.MANUAL;
  }
}
