/**
 * One loop for every kind of node. A transaction that changes something inserts a signal for the
 * key concerned; a replica takes the key's lock, deletes its signals and calls the kind's
 * reconciler, all in one transaction. It names no kind.
 */
@NullMarked
package dev.slipway.postgres.reconcile;

import org.jspecify.annotations.NullMarked;
