/**
 * The lifecycles of resources, runs and steps, each one table of allowed transitions with who may
 * trigger them. Everything that changes a state asks here first.
 */
package dev.slipway.engine.lifecycle;
