/** The rules that need no configuration, one class for each kind or family of kinds. */
@NullMarked
package dev.slipway.kubernetes.health.builtin;

import org.jspecify.annotations.NullMarked;
