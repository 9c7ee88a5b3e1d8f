package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run that now belongs to the caller until its lease ends. {@code before} is the state it was
 * claimed in, {@code signals} how many signals it had got by then.
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
    @Nullable Duration timeLimit,
    long epoch,
    long version,
    int signals,
    RunState before,
    @Nullable Instant startedAt,
    @Nullable Instant deadline,
    @Nullable Instant pausedAt,
    Map<String, Object> variables,
    List<StepRecord> steps,
    Optional<RunStore.Cancel> cancel) {}
