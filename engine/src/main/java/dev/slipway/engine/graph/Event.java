package dev.slipway.engine.graph;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An event that is not stored yet. {@link EventNodes} derives the node that it is about from its
 * data.
 *
 * @param root what that node is a part of, at the top; null: a run that no branch has made, a
 *     provider or an environment, which the data names
 * @param team null: visible to all users
 * @param data never holds a secret in the clear
 */
public record Event(
    String type,
    @Nullable NodeRef root,
    @Nullable String environment,
    @Nullable String team,
    String source,
    Instant at,
    Map<String, Object> data) {}
