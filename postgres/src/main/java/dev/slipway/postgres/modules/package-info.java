/**
 * The states that Terraform modules leave between steps: sealed, locked by the step that works on
 * them, with a short history.
 */
package dev.slipway.postgres.modules;
