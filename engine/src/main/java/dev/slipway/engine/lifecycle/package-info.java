/**
 * The lifecycles of resources, runs and steps, each one table of allowed transitions with who may
 * trigger them. Everything that changes a state asks here first.
 */
@NullMarked
package dev.slipway.engine.lifecycle;

import org.jspecify.annotations.NullMarked;
