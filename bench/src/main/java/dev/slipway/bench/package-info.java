/** Benchmarks. Each prints a ratio against a baseline that the same run measures. */
package dev.slipway.bench;
