/**
 * The one graph: references to nodes, how nodes belong together, order among them, and ways through
 * it. Knows no kind of node by name.
 */
@NullMarked
package dev.slipway.engine.graph;

import org.jspecify.annotations.NullMarked;
