/**
 * Durable runs. A run is claimed with a lease and a fencing epoch, its steps are executed on
 * virtual threads, every transition is committed before its effects become visible, and after a
 * crash at any point another worker continues the run.
 */
@NullMarked
package dev.slipway.engine.execute;

import org.jspecify.annotations.NullMarked;
