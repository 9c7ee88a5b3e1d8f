/**
 * What would change: the difference between what is asked for and what is, as a graph of nodes with
 * changes, waves and a hash that an approval is bound to.
 */
@NullMarked
package dev.slipway.engine.plan;

import org.jspecify.annotations.NullMarked;
