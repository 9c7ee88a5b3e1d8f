/**
 * The threads of a replica. Each thread that the engine depends on is started here, under a
 * supervision that reports what ended it: a replica never goes on without one of them.
 */
@NullMarked
package dev.slipway.engine.threads;

import org.jspecify.annotations.NullMarked;
