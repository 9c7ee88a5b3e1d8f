/**
 * The threads of a replica. Each thread that the engine depends on is started here and supervised:
 * when one ends unexpectedly, the replica reports it and stops.
 */
@NullMarked
package dev.slipway.engine.threads;

import org.jspecify.annotations.NullMarked;
