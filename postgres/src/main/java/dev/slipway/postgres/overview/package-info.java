/**
 * Read-only queries: runs with their steps and logs, and counts. Every query is limited to the
 * teams that the reader may see.
 */
@NullMarked
package dev.slipway.postgres.overview;

import org.jspecify.annotations.NullMarked;
