/** What tests stand on: a real PostgreSQL per test run and a clock that is turned by hand. */
package dev.slipway.testbed;
