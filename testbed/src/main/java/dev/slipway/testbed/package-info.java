/** What tests stand on: a real PostgreSQL per test run and a clock that is turned by hand. */
@NullMarked
package dev.slipway.testbed;

import org.jspecify.annotations.NullMarked;
