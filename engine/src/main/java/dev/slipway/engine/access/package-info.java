/**
 * Who sends a request ({@link dev.slipway.engine.access.Caller}) and why a request is refused
 * ({@link dev.slipway.engine.access.Refusal}), for the use cases of every branch.
 */
@NullMarked
package dev.slipway.engine.access;

import org.jspecify.annotations.NullMarked;
