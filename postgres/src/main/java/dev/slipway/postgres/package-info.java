/**
 * The state database. Implements the stores that the engine's stages declare, owns the schema
 * (migrations are its documentation) and runs the embedded server when no database is configured.
 */
@NullMarked
package dev.slipway.postgres;

import org.jspecify.annotations.NullMarked;
