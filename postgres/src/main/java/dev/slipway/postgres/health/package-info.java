/**
 * Samples of nodes in PostgreSQL: the latest one of each, the history of changes, and the keys
 * whose gates wait for samples. Independent of the kinds of nodes.
 */
@NullMarked
package dev.slipway.postgres.health;

import org.jspecify.annotations.NullMarked;
