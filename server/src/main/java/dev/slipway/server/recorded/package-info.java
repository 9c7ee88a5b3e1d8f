/**
 * Steps that are answered from a record instead of being executed: for the tests of providers,
 * which start a server of their own for that, and for nothing else.
 */
@NullMarked
package dev.slipway.server.recorded;

import org.jspecify.annotations.NullMarked;
