package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.StepState;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A step of a run as it is stored. {@code attempt} counts from 1; {@code startedAt} is when this
 * attempt began. {@code memory} is what its executor keeps while it waits. Secret leaves of {@code
 * outputs} are sealed.
 */
public record StepRecord(
    String name,
    StepState state,
    int attempt,
    @Nullable Instant wakeAt,
    @Nullable String waitingFor,
    Map<String, Object> memory,
    @Nullable String inputHash,
    @Nullable Map<String, Object> outputs,
    @Nullable StepError error,
    Origin origin,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt) {

  /** Where its state comes from. */
  public enum Origin {
    /** It was executed in this run. */
    OWN,
    /** It succeeded in the run that this one retries. */
    CARRIED
  }

  /** A step that nothing has happened to yet. */
  public static StepRecord pending(String name) {
    return new StepRecord(
        name, StepState.PENDING, 1, null, null, Map.of(), null, null, null, Origin.OWN, null, null);
  }

  /** The same in another state, at that time. */
  public StepRecord in(StepState to, Instant at) {
    return new StepRecord(
        name,
        to,
        attempt,
        null,
        null,
        Map.of(),
        inputHash,
        outputs,
        error,
        origin,
        startedAt,
        to.finished() ? at : null);
  }

  /** The same with an error. */
  public StepRecord failing(StepError why) {
    return new StepRecord(
        name,
        state,
        attempt,
        wakeAt,
        waitingFor,
        memory,
        inputHash,
        outputs,
        why,
        origin,
        startedAt,
        finishedAt);
  }
}
