/**
 * What plans of every branch have in common: the changes of nodes and fields, and hashes that stay
 * equal as long as carrying a plan out would do the same.
 */
@NullMarked
package dev.slipway.engine.plan;

import org.jspecify.annotations.NullMarked;
