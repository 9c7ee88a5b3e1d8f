/**
 * Runs in PostgreSQL: claimed with SKIP LOCKED, held by a lease, written by many owners in one
 * transaction, every row checked against its epoch.
 */
@NullMarked
package dev.slipway.postgres.runs;

import org.jspecify.annotations.NullMarked;
