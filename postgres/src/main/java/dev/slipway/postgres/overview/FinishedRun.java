package dev.slipway.postgres.overview;

import dev.slipway.engine.execute.NewRun;
import dev.slipway.engine.execute.StepRecord;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a new run takes over from the one that it retries. */
public record FinishedRun(
    NewRun.Kind kind,
    NewRun.Subject subject,
    NewRun.Inputs inputs,
    List<StepRecord> succeeded,
    @Nullable Duration timeLimit) {}
