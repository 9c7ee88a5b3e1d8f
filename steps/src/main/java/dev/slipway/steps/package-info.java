/**
 * The step executors, one per step type. The engine stores the intent before an executor acts; each
 * can be cancelled.
 */
@NullMarked
package dev.slipway.steps;

import org.jspecify.annotations.NullMarked;
