/** Clusters: their clients, the objects that are applied to them, and the rules of their health. */
@NullMarked
package dev.slipway.kubernetes;

import org.jspecify.annotations.NullMarked;
