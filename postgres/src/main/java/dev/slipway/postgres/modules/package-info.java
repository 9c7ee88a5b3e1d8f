/**
 * The states that Terraform modules keep between steps: sealed, locked by the step that works on
 * them, with a short history.
 */
@NullMarked
package dev.slipway.postgres.modules;

import org.jspecify.annotations.NullMarked;
