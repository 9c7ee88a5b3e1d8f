/**
 * Nodes as their owners show them: runs and environments by the trunk, all others by branches. An
 * explanation reads nodes here, so that it depends on no kind of node.
 */
@NullMarked
package dev.slipway.postgres.nodes;

import org.jspecify.annotations.NullMarked;
