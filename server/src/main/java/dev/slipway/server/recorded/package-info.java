/**
 * Steps with recorded results instead of execution: only for tests of providers, which start a
 * server of their own for that.
 */
@NullMarked
package dev.slipway.server.recorded;

import org.jspecify.annotations.NullMarked;
