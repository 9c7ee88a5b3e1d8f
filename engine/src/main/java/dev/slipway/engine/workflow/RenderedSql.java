package dev.slipway.engine.workflow;

import java.util.List;

/** SQL text with a {@code ?} for every value, and the values in order. */
public record RenderedSql(String text, List<Object> values) {}
