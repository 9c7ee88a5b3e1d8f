/**
 * When resources are looked at, and how many looks a replica takes at once: decided in memory, so
 * that a table of cases tests it. Turns of the kind {@code look} carry it out.
 */
@NullMarked
package dev.slipway.applications.observe;

import org.jspecify.annotations.NullMarked;
