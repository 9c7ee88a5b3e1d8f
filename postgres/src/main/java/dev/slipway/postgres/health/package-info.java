/**
 * Samples of nodes in PostgreSQL: the newest one of each, the history of changes, and the keys
 * whose gates wait for samples. Knows no kind of node by name.
 */
@NullMarked
package dev.slipway.postgres.health;

import org.jspecify.annotations.NullMarked;
