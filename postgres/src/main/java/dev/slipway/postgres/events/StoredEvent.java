package dev.slipway.postgres.events;

import dev.slipway.engine.graph.Event;

/** An event with its place in the order. */
public record StoredEvent(long id, Event event) {}
