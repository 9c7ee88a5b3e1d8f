/**
 * The language that providers write: workflows of steps with parameters, conditions, retries and
 * outputs; how it is read, checked when a provider loads, and rendered when a step runs.
 */
@NullMarked
package dev.slipway.engine.workflow;

import org.jspecify.annotations.NullMarked;
