/**
 * Durable runs. A run is claimed with a lease and a fencing epoch, its steps are executed on
 * virtual threads, every transition is written before anybody may rely on it, and a crash at any
 * point is taken up where it stopped.
 */
@NullMarked
package dev.slipway.engine.execute;

import org.jspecify.annotations.NullMarked;
