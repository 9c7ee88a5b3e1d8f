/**
 * What was seen of nodes, and what follows for those that wait. Health is observed only: a sample
 * says what one look found, and a gate judges samples of the attempt that it belongs to.
 */
@NullMarked
package dev.slipway.engine.health;

import org.jspecify.annotations.NullMarked;
