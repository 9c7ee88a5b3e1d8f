package dev.slipway.postgres.overview;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored run; secrets are sealed. Pending steps are not included. {@code undoing} are the steps
 * of a rollback in their order; {@code cause} is why its branch made it, in the branch's words;
 * {@code made} are the child and rollback runs that it created, oldest first.
 */
public record RunView(
    UUID id,
    String kind,
    @Nullable String cause,
    String definition,
    @Nullable String application,
    String environment,
    String team,
    String workflow,
    String provider,
    @Nullable String operation,
    @Nullable UUID resourceId,
    @Nullable String resource,
    @Nullable UUID deploymentId,
    String status,
    @Nullable UUID parentRunId,
    @Nullable String parentStep,
    @Nullable Integer parentAttempt,
    @Nullable String cancel,
    String createdBy,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant completedAt,
    @Nullable Map<String, Object> error,
    @Nullable String rollback,
    Map<String, Object> outputs,
    List<Step> steps,
    List<String> undoing,
    List<Made> made) {

  /** A run that this one created; steps are those of a rollback. */
  public record Made(
      UUID id,
      String kind,
      String provider,
      String workflow,
      @Nullable String step,
      @Nullable Integer attempt,
      String status,
      @Nullable Map<String, Object> error,
      @Nullable Instant startedAt,
      @Nullable Instant completedAt,
      List<Step> steps) {}

  /** A step; {@code attempts} are those before the current one. */
  public record Step(
      String name,
      String status,
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
