/**
 * Values as they travel through the product: what YAML and JSON can say (maps with string keys,
 * lists, strings, exact integers, doubles, booleans, null), plus {@link
 * dev.slipway.engine.value.Sealed} for a secret that is never written in the clear.
 */
@NullMarked
package dev.slipway.engine.value;

import org.jspecify.annotations.NullMarked;
