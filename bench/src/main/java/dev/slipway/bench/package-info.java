/** Benchmarks: what Slipway does per second, beside what the machine can do in the same minute. */
package dev.slipway.bench;
