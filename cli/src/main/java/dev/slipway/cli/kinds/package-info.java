/**
 * The server's table of kinds as a client reads it: words, routes, columns, states. What a newer
 * server adds to a row is skipped.
 */
@NullMarked
package dev.slipway.cli.kinds;

import org.jspecify.annotations.NullMarked;
