/**
 * Environments: their settings, which teams may use and change them, their protection and their
 * end. What lives in them belongs to branches, which the trunk asks as {@link
 * dev.slipway.postgres.environments.Occupant}s.
 */
@NullMarked
package dev.slipway.postgres.environments;

import org.jspecify.annotations.NullMarked;
