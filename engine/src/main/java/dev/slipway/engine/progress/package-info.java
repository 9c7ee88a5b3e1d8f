/**
 * What an application needs next: a pure decision over what is asked for and what is, made again
 * whenever something has changed. Also who asks ({@link dev.slipway.engine.progress.Caller}) and
 * the ways in which a request is turned down ({@link dev.slipway.engine.progress.Refusal}).
 */
@NullMarked
package dev.slipway.engine.progress;

import org.jspecify.annotations.NullMarked;
