/**
 * Deletes rows whose retention is over, in small batches, so that no table grows without bound. The
 * limits of all tables are in {@code docs/operations.md}.
 */
@NullMarked
package dev.slipway.postgres.retention;

import org.jspecify.annotations.NullMarked;
