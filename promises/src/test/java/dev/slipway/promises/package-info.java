/**
 * The promises of the durable engine, tried on the installed product from outside: real server
 * processes that are killed, frozen and cut off, a real PostgreSQL, and a witness that writes down
 * what really happened.
 */
@NullMarked
package dev.slipway.promises;

import org.jspecify.annotations.NullMarked;
