/**
 * Rules of the configuration: where they come from, which of them goes first, and how each judges.
 */
@NullMarked
package dev.slipway.kubernetes.health.custom;

import org.jspecify.annotations.NullMarked;
