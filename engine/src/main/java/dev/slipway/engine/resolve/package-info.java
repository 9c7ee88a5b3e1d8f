/**
 * Which provider does it: manifests and where they come from, the registry of what is loaded now,
 * and the way from (type, operation, tags) to one workflow of one provider.
 */
@NullMarked
package dev.slipway.engine.resolve;

import org.jspecify.annotations.NullMarked;
