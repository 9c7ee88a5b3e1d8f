package dev.slipway.engine.lifecycle;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event that is not stored yet. {@code team} null: visible to all users. {@code data} never
 * holds a secret in the clear.
 */
public record Event(
    String type,
    @Nullable String application,
    @Nullable String environment,
    @Nullable String team,
    String source,
    Instant at,
    Map<String, Object> data) {}
