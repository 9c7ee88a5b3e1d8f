/**
 * What changes in clusters without Slipway: one watch a cluster and kind, which keeps of each owned
 * object a few numbers and calls back when it was deleted, lost fields to another client, or
 * changed its health. A watch that ends, breaks, falls silent or is too old begins again.
 */
@NullMarked
package dev.slipway.kubernetes.watch;

import org.jspecify.annotations.NullMarked;
