/**
 * Removes rows that are older than the configuration keeps them, in small batches, so that no table
 * grows without a bound. The bounds of all tables are in {@code docs/operations.md}.
 */
@NullMarked
package dev.slipway.postgres.retention;

import org.jspecify.annotations.NullMarked;
