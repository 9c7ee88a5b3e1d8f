package dev.slipway.postgres.overview;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.RunStore;
import dev.slipway.engine.execute.RunWrite;
import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored run; secrets are sealed, and the subject has no key. Pending steps are not included.
 * {@code cause} is why its branch made it, in the branch's words; {@code undoing} are the steps of a
 * rollback in their order; {@code made} are the child and rollback runs that it created, oldest
 * first.
 */
public record RunView(
    UUID id,
    NewRun.Kind kind,
    @Nullable String cause,
    String definition,
    NewRun.Subject subject,
    String environment,
    String team,
    String workflow,
    String provider,
    @Nullable String operation,
    RunState status,
    @Nullable UUID parentRunId,
    @Nullable String parentStep,
    @Nullable Integer parentAttempt,
    RunStore.@Nullable Cancel cancel,
    String createdBy,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant completedAt,
    @Nullable Map<String, Object> error,
    RunWrite.@Nullable Rollback rollback,
    Map<String, Object> outputs,
    List<Step> steps,
    List<String> undoing,
    List<Made> made) {

  /** A run that this one created; steps are those of a rollback. */
  public record Made(
      UUID id,
      NewRun.Kind kind,
      String provider,
      String workflow,
      @Nullable String step,
      @Nullable Integer attempt,
      RunState status,
      @Nullable Map<String, Object> error,
      @Nullable Instant startedAt,
      @Nullable Instant completedAt,
      List<Step> steps) {}

  /** A step; {@code attempts} are those before the current one. */
  public record Step(
      String name,
      StepState status,
      int attempt,
      @Nullable String waitingFor,
      @Nullable Instant wakeAt,
      @Nullable Map<String, Object> error,
      @Nullable Map<String, Object> outputs,
      boolean carried,
      @Nullable Instant startedAt,
      @Nullable Instant finishedAt,
      List<Attempt> attempts) {}

  /** A failed attempt. */
  public record Attempt(
      int attempt,
      Map<String, Object> error,
      @Nullable Instant startedAt,
      @Nullable Instant finishedAt) {}
}
