/**
 * Named clusters of the configuration: their clients, what kinds their API servers know, and
 * whether they answer. A request to a cluster that is down fails at once, so that its work waits on
 * timers and holds no worker.
 */
@NullMarked
package dev.slipway.kubernetes.cluster;

import org.jspecify.annotations.NullMarked;
