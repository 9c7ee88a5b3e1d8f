/** The append-only log of what happened, and how those who wait for something are woken. */
@NullMarked
package dev.slipway.postgres.events;

import org.jspecify.annotations.NullMarked;
