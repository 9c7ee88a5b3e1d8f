package dev.slipway.cli.kinds;

import org.jspecify.annotations.Nullable;

/**
 * A part of how people name an object, as {@code shop} and {@code db} in {@code shop/db}.
 *
 * @param filter variable of the list's template that finds it; null if the list has none
 */
public record NamePart(String field, @Nullable String filter) {}
