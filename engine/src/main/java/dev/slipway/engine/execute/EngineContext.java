package dev.slipway.engine.execute;

import dev.slipway.engine.resolve.ProviderRules;
import dev.slipway.engine.threads.Threads;
import dev.slipway.engine.value.SecretBox;
import dev.slipway.engine.workflow.Rendering;
import java.time.InstantSource;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Everything that the workers of one replica share. */
public record EngineContext(
    EngineSettings settings,
    RunStore store,
    Definitions definitions,
    Rendering rendering,
    Executors executors,
    SecretBox box,
    StepLogs logs,
    Function<String, ProviderRules> rules,
    Supplier<RunStore.Bounds> bounds,
    InstantSource clock,
    Alarms alarms,
    RandomGenerator random,
    RunMetrics metrics,
    ProviderFiles files,
    Threads threads) {}
