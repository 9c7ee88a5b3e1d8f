/**
 * Nodes as their owners show them: runs and environments by the trunk, all others by branches. An
 * explanation asks here, so that it needs to know no kind of node.
 */
@NullMarked
package dev.slipway.postgres.nodes;

import org.jspecify.annotations.NullMarked;
