/**
 * The one graph: references to nodes, how nodes belong together, order among them, and ways through
 * it. It names no kind of node.
 */
@NullMarked
package dev.slipway.engine.graph;

import org.jspecify.annotations.NullMarked;
