/**
 * Programs run for a step: in a session of their own, tied to the server's life, bounded in time
 * and output, and ended with everything they started.
 */
@NullMarked
package dev.slipway.steps.process;

import org.jspecify.annotations.NullMarked;
