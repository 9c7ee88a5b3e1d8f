package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run that now belongs to the caller until its lease ends. {@code before} is the state it was
 * claimed in, {@code signals} how many signals it had got by then, {@code startedAt} when it was
 * claimed for the first time.
 */
public record ClaimedRun(
    UUID id,
    NewRun.Kind kind,
    String definitionHash,
    @Nullable String operation,
    NewRun.Subject subject,
    String environment,
    String team,
    @Nullable UUID parent,
    NewRun.Inputs inputs,
    String createdBy,
    Instant createdAt,
    RunStore.Fence fence,
    long version,
    int signals,
    RunState before,
    Instant startedAt,
    @Nullable Instant deadline,
    Map<String, Object> variables,
    List<StepRecord> steps,
    Optional<RunStore.Cancel> cancel,
    Optional<RunWrite.Rollback> rollback) {

  /** Raised by each claim. */
  public long epoch() {
    return fence.epoch();
  }

  /** The same with its steps. */
  public ClaimedRun withSteps(List<StepRecord> stored) {
    return new ClaimedRun(
        id,
        kind,
        definitionHash,
        operation,
        subject,
        environment,
        team,
        parent,
        inputs,
        createdBy,
        createdAt,
        fence,
        version,
        signals,
        before,
        startedAt,
        deadline,
        variables,
        stored,
        cancel,
        rollback);
  }
}
