/** Measures executions and parses per second against real Go; started by gotemplate/bench/run. */
package dev.slipway.gotemplate.bench;
