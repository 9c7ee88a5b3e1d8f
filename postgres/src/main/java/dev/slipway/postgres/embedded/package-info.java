/**
 * A real PostgreSQL of our own for those who have none: unpacked from the class path, with durable
 * settings, a password and a loopback address, watched and started again when it dies.
 */
@NullMarked
package dev.slipway.postgres.embedded;

import org.jspecify.annotations.NullMarked;
