/**
 * What happened and why: events, the graph of everything, and the explanation of whatever is not
 * active.
 */
@NullMarked
package dev.slipway.engine.observe;

import org.jspecify.annotations.NullMarked;
