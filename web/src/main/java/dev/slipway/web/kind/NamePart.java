package dev.slipway.web.kind;

import org.jspecify.annotations.Nullable;

/**
 * A part of how people name an object whose key is an id, as {@code shop} and {@code db} in {@code
 * shop/db}.
 *
 * @param field of the object
 * @param filter variable of the list's template that finds it; null if the list has none
 */
public record NamePart(String field, @Nullable String filter) {}
