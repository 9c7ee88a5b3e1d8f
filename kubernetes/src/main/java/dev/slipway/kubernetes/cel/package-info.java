/** Conditions in CEL about objects, compiled once, evaluated with limits on cost and memory. */
@NullMarked
package dev.slipway.kubernetes.cel;

import org.jspecify.annotations.NullMarked;
