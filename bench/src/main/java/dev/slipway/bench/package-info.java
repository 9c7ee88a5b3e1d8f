/** Benchmarks: what Slipway does per second, beside what the machine can do in the same minute. */
@NullMarked
package dev.slipway.bench;

import org.jspecify.annotations.NullMarked;
