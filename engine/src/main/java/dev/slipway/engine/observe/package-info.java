/**
 * What happened and why: events, the graph of everything, and the explanation of whatever is not
 * active.
 */
package dev.slipway.engine.observe;
