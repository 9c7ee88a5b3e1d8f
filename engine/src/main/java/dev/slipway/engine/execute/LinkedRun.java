package dev.slipway.engine.execute;

import dev.slipway.engine.lifecycle.RunState;
import dev.slipway.engine.lifecycle.StepState;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A run that another one made, as the other one sees it. Outputs are sealed; {@code steps} are
 * those of a rollback that have begun.
 */
public record LinkedRun(
    UUID id,
    NewRun.Kind kind,
    String provider,
    String workflow,
    RunState state,
    Map<String, Object> outputs,
    @Nullable StepError error,
    Map<String, StepState> steps) {}
