/**
 * Terraform and OpenTofu modules as steps. A module runs in a private copy of its provider's files
 * with its state as a local file, which is loaded from {@link
 * dev.slipway.engine.execute.ModuleStates} before the run and stored there whenever it changes.
 */
@NullMarked
package dev.slipway.steps.terraform;

import org.jspecify.annotations.NullMarked;
