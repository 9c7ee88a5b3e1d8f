/**
 * Steps of type {@code kubernetes}: objects of clusters are applied, patched, read, waited for and
 * deleted. Waiting, also for a cluster that is down, is a timer and holds no worker.
 */
@NullMarked
package dev.slipway.steps.kubernetes;

import org.jspecify.annotations.NullMarked;
