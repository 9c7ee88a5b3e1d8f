package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.State;
import dev.slipway.engine.workflow.StepType;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Does the work of one step type. Called on a virtual thread of its own after the intent (step
 * running, attempt, key) is stored. Must be idempotent for one key: after a crash it is called
 * again with the same key and {@link StepCall.Origin#RECOVERED}. Asks {@link StepCall#lease} right
 * before each effect. An interrupt means stop now: leave nothing running behind, then throw {@link
 * InterruptedException}.
 */
public interface StepExecutor {
  /** What it is called and which config it takes. */
  StepType type();

  /** Does it. Expected failures are a {@link Result.Failed}; an exception is an internal error. */
  Result execute(StepCall call) throws InterruptedException;

  /**
   * Ends a step that no thread executes (it is parked, or its server crashed): cancels the work
   * that it began outside under its key, and waits until that has stopped.
   */
  default void stop(StepCall call) throws InterruptedException {}

  /** How it went. */
  sealed interface Result {
    /** Not done, and another attempt would end in the same way. */
    static Failed failed(String code, String message, @Nullable String hint) {
      return new Failed(StepError.permanent(code, message, hint), Map.of());
    }

    /** Done. */
    record Succeeded(Map<String, Object> outputs, Set<String> secretOutputs) implements Result {}

    /** Not done. {@code notBefore} is how long the other side asks to be left alone. */
    record Failed(StepError error, Map<String, Object> outputs, Duration notBefore)
        implements Result {
      /** Not done; it may be tried again when the step's retry says. */
      public Failed(StepError error, Map<String, Object> outputs) {
        this(error, outputs, Duration.ZERO);
      }
    }

    /**
     * The step waits: the thread and the lease are given back, and the executor is called again
     * with {@code memory} at {@code wakeAt} or after a signal. A null {@code wakeAt} waits for a
     * signal only. A call may come too early; the executor then parks again. A change of {@code
     * waitingFor} is an event, so progress belongs into {@link #SEEN}.
     */
    record Parked(
        @Nullable Instant wakeAt, String waitingFor, Map<String, Object> memory, Limits limits)
        implements Result {
      /** Key in the memory: a text about what has been reached so far. */
      public static final String SEEN = "seen";

      /** Parked while all time limits count. */
      public Parked(@Nullable Instant wakeAt, String waitingFor, Map<String, Object> memory) {
        this(wakeAt, waitingFor, memory, Limits.ALL);
      }
    }
  }

  /** Which time limits count while a step is parked. */
  enum Limits implements State {
    /** That of the attempt and that of the run. */
    ALL,
    /** That of the run: the step was written to take this long. */
    RUN,
    /** None: the step waits for a user. */
    NONE
  }
}
