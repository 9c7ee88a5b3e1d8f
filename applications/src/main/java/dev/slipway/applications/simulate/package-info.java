/**
 * What a plan would run, step by step and with rendered inputs, without running anything. What only
 * a run can know is shown as such; secrets are masked before anything is rendered.
 */
@NullMarked
package dev.slipway.applications.simulate;

import org.jspecify.annotations.NullMarked;
