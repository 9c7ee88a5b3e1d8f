/**
 * An embedded PostgreSQL for installations without an external one: unpacked from the class path,
 * with durable settings, a password and a loopback address, supervised and restarted when it dies.
 */
@NullMarked
package dev.slipway.postgres.embedded;

import org.jspecify.annotations.NullMarked;
