/**
 * What an application needs next: a pure decision over what is asked for and what is, made again
 * whenever something has changed.
 */
@NullMarked
package dev.slipway.applications.progress;

import org.jspecify.annotations.NullMarked;
