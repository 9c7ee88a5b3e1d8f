/**
 * Leases and shards: work that one replica at a time does, such as polling an endpoint or watching
 * a part of a cluster. A lease expires by the database's clock unless its replica renews it, and
 * each new owner raises its epoch, which fences the writes of former owners. Leases of runs are
 * separate: they are part of the run's own row.
 */
@NullMarked
package dev.slipway.postgres.leases;

import org.jspecify.annotations.NullMarked;
