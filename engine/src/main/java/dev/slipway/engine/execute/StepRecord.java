package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.StepState;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A step of a run as it is stored. {@code attempt} counts from 1; {@code startedAt} is when this
 * attempt began; {@code wakeAt} is the timer it waits for, as backoff or parked. {@code parked} is
 * what its executor left there, kept until it ends. Secret leaves of {@code outputs} are sealed.
 */
public record StepRecord(
    String name,
    StepState state,
    int attempt,
    @Nullable Instant wakeAt,
    @Nullable Parking parked,
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

  /** What a parked step waits for, as text; the memory of its executor; which limits count. */
  public record Parking(
      String waitingFor, Map<String, Object> memory, StepExecutor.Limits limits) {}

  /** A step that nothing has happened to yet. */
  public static StepRecord pending(String name) {
    return new StepRecord(
        name, StepState.PENDING, 1, null, null, null, null, null, Origin.OWN, null, null);
  }

  /** Its attempt begins. */
  public StepRecord started(String hash, Instant at) {
    return new StepRecord(
        name, StepState.RUNNING, attempt, null, parked, hash, null, null, origin, at, null);
  }

  /** Continued after it was parked, or after a crash, in the same attempt. */
  public StepRecord resumed() {
    return new StepRecord(
        name,
        StepState.RUNNING,
        attempt,
        null,
        parked,
        inputHash,
        null,
        null,
        origin,
        startedAt,
        null);
  }

  /** The time of this attempt counts from then. */
  public StepRecord startedAt(Instant at) {
    return new StepRecord(
        name, state, attempt, wakeAt, parked, inputHash, outputs, error, origin, at, finishedAt);
  }

  /** It waits. */
  public StepRecord parked(@Nullable Instant until, Parking parking) {
    return new StepRecord(
        name,
        StepState.WAITING,
        attempt,
        until,
        parking,
        inputHash,
        null,
        null,
        origin,
        startedAt,
        null);
  }

  /** Its attempt failed; the next one is due then. */
  public StepRecord again(StepError why, Instant due) {
    return new StepRecord(
        name, StepState.PENDING, attempt + 1, due, null, inputHash, null, why, origin, null, null);
  }

  /** It ended with these outputs, or without any. */
  public StepRecord ended(
      StepState to, @Nullable Map<String, Object> results, @Nullable StepError why, Instant at) {
    return new StepRecord(
        name, to, attempt, null, null, inputHash, results, why, origin, startedAt, at);
  }

  /** What it had done was undone; when it had succeeded stays known, it decides the order. */
  public StepRecord rolledBack() {
    return new StepRecord(
        name,
        StepState.ROLLED_BACK,
        attempt,
        null,
        null,
        inputHash,
        outputs,
        error,
        origin,
        startedAt,
        finishedAt);
  }

  /** As the run that retries takes it over. */
  public StepRecord carried() {
    return new StepRecord(
        name,
        state,
        attempt,
        null,
        null,
        inputHash,
        outputs,
        error,
        Origin.CARRIED,
        startedAt,
        finishedAt);
  }
}
