/**
 * One step executor a file. Each acts on the real thing, stores its intent first through the
 * engine, and can be cancelled.
 */
@NullMarked
package dev.slipway.steps;

import org.jspecify.annotations.NullMarked;
